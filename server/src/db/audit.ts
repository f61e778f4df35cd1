import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** What staff and operators did. Never a secret, never a message. */
export async function insertAudit(
  db: Kysely<Tables>,
  entry: { actor: string; action: string; target: string; details?: Record<string, unknown> },
): Promise<void> {
  await db.insertInto('audit').values(entry).execute();
}
