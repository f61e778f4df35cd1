import type { actionTexts, detailTexts } from '@settee/protocol/texts/auditTexts';
import { type Db, run } from './query.ts';

/** Only actions and details that have a text on the audit page. */
export type AuditAction = keyof typeof actionTexts;
export type AuditDetails = Partial<Record<keyof typeof detailTexts, unknown>>;

/** Refuses others, also in a variable. */
export type KnownDetails<D extends object> = D & Record<Exclude<keyof D, keyof AuditDetails>, never>;

export type Entry<D extends object> = {
  actor: string;
  action: AuditAction;
  target: string;
  details?: KnownDetails<D> | undefined;
};

/**
 * Records an act of staff or an operator; never a secret, never message text. Call `audited` instead, unless two
 * databases are involved. A trigger sets number, time and hash.
 */
export function insertAudit<D extends object>(
  db: Db,
  { actor, action, target, details }: Entry<D>,
): Promise<void> {
  return run(db)`
    insert into audit (actor, action, target, details) values (${actor}, ${action}, ${target}, ${details ?? {}})`;
}
