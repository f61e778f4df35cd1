import type { Database, DbTransaction } from './database.ts';

/** Statement timeout (including waits for locks), or lock not available. */
const LATE = new Set(['57014', '55P03']);

type Limits = { ms: number; settings: string };

/**
 * Runs one statement in a transaction with a timeout and planner settings. Undefined on timeout; then nothing was
 * changed.
 */
export function queryWithTimeout<Row>(
  db: Database,
  limits: Limits,
  { text, values }: { text: string; values?: readonly unknown[] },
): Promise<Row[] | undefined> {
  return withStatementTimeout(
    db,
    limits,
    async (client) => (await client.query(text, [...(values ?? [])])).rows as Row[],
  );
}

/** The same for several statements. The timeout applies to each; on timeout nothing was changed. */
export async function withStatementTimeout<Result>(
  db: Database,
  { ms, settings }: Limits,
  work: (client: DbTransaction) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await db.transaction(work, `begin; set local statement_timeout = ${ms}; ${settings}`);
  } catch (error) {
    if (!LATE.has((error as { code?: string }).code ?? '')) throw error;
    return undefined;
  }
}
