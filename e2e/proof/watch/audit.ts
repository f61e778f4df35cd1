import { verifyAudit } from '../../../server/src/actions/audit/verifyAudit.ts';
import { openDatabase } from '../../../server/src/db/engine/database.ts';
import { query } from '../database.ts';
import type { Scene } from './scene.ts';

/** The number of the newest entry. */
export async function countAudit(databaseUrl: string): Promise<number> {
  const [row] = await query(databaseUrl, 'select coalesce(max(id), 0)::integer from audit');
  return Number(row?.[0]);
}

/** Verifies the hash chain, and counts the entries after this one. */
export async function readAudit({ stage: { databaseUrl }, history }: Scene, after: number): Promise<void> {
  const db = openDatabase(databaseUrl, 1);
  try {
    const verified = await verifyAudit({ db });
    history.write({
      type: 'auditChain',
      problem: verified.whole ? null : `entry ${verified.id} ${verified.problem}`,
      entries: verified.whole ? verified.count : verified.id,
    });
  } finally {
    await db.close();
  }
  const rows = await query(
    databaseUrl,
    'select action, target, count(*)::integer from audit where id > $1 group by 1, 2',
    [after],
  );
  for (const [action, target, entries] of rows as [string, string, number][])
    history.write({ type: 'audited', action, target, entries });
}
