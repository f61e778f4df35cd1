import type { Kysely } from 'kysely';
import type { Tables } from '../engine/tables.ts';

/**
 * Records an act of staff or an operator; never a secret, never message text. Call it last in a transaction: the entry
 * locks the chain's head until the commit. A trigger sets number, time and hash.
 */
export async function insertAudit(
  db: Kysely<Tables>,
  entry: { actor: string; action: string; target: string; details?: Record<string, unknown> },
): Promise<void> {
  await db.insertInto('audit').values(entry).execute();
}
