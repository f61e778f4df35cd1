import { type Db, run } from '../engine/query.ts';

/**
 * Records an act of staff or an operator; never a secret, never message text. Call it last in a transaction: the entry
 * locks the chain's head until the commit. A trigger sets number, time and hash.
 */
export function insertAudit(
  db: Db,
  entry: { actor: string; action: string; target: string; details?: Record<string, unknown> },
): Promise<void> {
  const { actor, action, target, details = {} } = entry;
  return run(db)`
    insert into audit (actor, action, target, details) values (${actor}, ${action}, ${target}, ${details})`;
}
