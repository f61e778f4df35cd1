import type { Kysely } from 'kysely';
import type { Tables } from '../engine/tables.ts';

/**
 * What staff and operators did. Never a secret, never a message. The last thing in its transaction: the entry holds the
 * chain's lock until the commit, and all who write another wait for it. Its number, time and hash come from a trigger.
 */
export async function insertAudit(
  db: Kysely<Tables>,
  entry: { actor: string; action: string; target: string; details?: Record<string, unknown> },
): Promise<void> {
  await db.insertInto('audit').values(entry).execute();
}
