import { MAIN } from '@settee/protocol/model/profile';
import type { actionTexts, detailTexts } from '@settee/protocol/texts/auditTexts';
import { type Db, run } from './query.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

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

/** The target is a profile, or a desk. */
const ABOUT_PROFILE = /^(?:avatar|brand|profile)\./;
const ABOUT_DESK = /^(?:desk|hours|invites)\./;

/**
 * Records an act of staff or an operator; never a secret, never message text. Call `audited` instead, unless two
 * databases are involved. A trigger sets number, time and hash. An entry about one profile names it, except the first.
 */
export function insertAudit<D extends object>(
  db: Db,
  { actor, action, target, details }: Entry<D>,
): Promise<void> {
  const { profile, alias, aliases }: AuditDetails = details ?? {};
  const id = UUID.test(target) ? target : null;
  const slug = profile ?? (ABOUT_PROFILE.test(action) ? target : null);
  const desks = [ABOUT_DESK.test(action) ? target : alias, aliases].flat();
  return run(db)`
    insert into audit (actor, action, target, details)
    select ${actor}, ${action}, ${target}, ${details ?? {}}::jsonb - 'profile' || coalesce((
      select jsonb_build_object('profile', min(about.profile)) from (
        select h.profile from handlers h where h.alias = any (${desks.filter((desk) => typeof desk === 'string')}::text[])
        union select h.profile from conversations c join handlers h on h.alias = c.handler_alias where c.id = ${id}::uuid
        union select h.profile from deleted_conversations c join handlers h on h.alias = c.handler_alias
          where c.conversation_id = ${id}::uuid
        union select h.profile from invites i join handlers h on h.alias = i.handler_alias where i.id = ${id}::uuid
        union select p.slug from profiles p where p.slug = ${slug}::text
      ) about having count(*) = 1 and min(about.profile) <> ${MAIN}
    ), '{}')`;
}
