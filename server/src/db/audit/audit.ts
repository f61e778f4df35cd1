import type { actionTexts, detailTexts } from '@settee/protocol/texts/auditTexts';
import { type Db, run } from '../engine/query.ts';

/** Only actions and details that have a text on the audit page. */
export type AuditAction = keyof typeof actionTexts;
export type AuditDetails = Partial<Record<keyof typeof detailTexts, unknown>>;

/**
 * Records an act of staff or an operator; never a secret, never message text. Call it last in a transaction: the entry
 * locks the chain's head until the commit. A trigger sets number, time and hash.
 */
export function insertAudit<D extends object>(
  db: Db,
  entry: {
    actor: string;
    action: AuditAction;
    target: string;
    details?: D & Record<Exclude<keyof D, keyof AuditDetails>, never>;
  },
): Promise<void> {
  const { actor, action, target, details = {} } = entry;
  return run(db)`
    insert into audit (actor, action, target, details) values (${actor}, ${action}, ${target}, ${details})`;
}
