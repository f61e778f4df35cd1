import { MAIL_APART_SECONDS, WAITING_MAIL_MINUTES } from '@settee/protocol/model/mail';
import { MAIN } from '@settee/protocol/model/profile';
import { type StaffLanguage, staffLanguages } from '@settee/protocol/texts/languages';
import { FENCED_DESK } from '../platform/db/fence.ts';
import { changed, column, type Db, exists, first, sql } from '../platform/db/query.ts';

/** The conversations `c` of desks `d`, by the index on the desk. `in (select …)` within `exists` would not use it. */
const AT_DESK = sql`desk_staff d join conversations c on c.handler_alias = d.alias`;

/** The desk is one where `s` is on duty, and the visitor has been waiting. A snoozed conversation was looked at. */
const WAITS = sql`d.staff_id = s.id and not d.off and c.status = 'open'
  and c.waiting_since <= now() - make_interval(mins => ${WAITING_MAIL_MINUTES})
  and coalesce(c.snoozed_until <= now() or c.last_seq > c.snoozed_seq, true)`;

/** The desk was not told of this wait. */
const NEW_WAIT = sql`c.waiting_mailed_since is distinct from c.waiting_since`;

/**
 * Takes the staff to be told that a visitor waits. Nobody is told of the same wait twice, and not while their desk moves.
 * The caller adds the jobs in the same transaction.
 */
export function takeWaitingMails(db: Db): Promise<string[]> {
  return column<string>(db)`
    with told as (
      update staff s set waiting_mailed_at = now()
      where s.waiting_mail and s.active and s.alias is distinct from ${FENCED_DESK}
        and coalesce(s.waiting_mailed_at < now() - make_interval(secs => ${MAIL_APART_SECONDS}::double precision), true)
        and exists (select from ${AT_DESK} where ${WAITS} and ${NEW_WAIT})
      returning s.id, s.alias
    ),
    noted as (
      update conversations c set waiting_mailed_since = c.waiting_since
      where c.id = any (array(
        -- In the order in which sends lock them.
        select c.id from told s, ${AT_DESK} where ${WAITS} and ${NEW_WAIT} order by c.id
        for no key update of c
      ))
    )
    select id from told`;
}

/** Whether anyone wants these mails, which saves the search for waiting visitors. */
export function wantsWaitingMails(db: Db): Promise<boolean> {
  return exists(db)`select from staff where waiting_mail and active limit 1`;
}

export type StaffTarget = { email: string; profileName: string; language: StaffLanguage };

/** The language that `s` chose, otherwise that of the profile, if staff have it. */
const LANGUAGE = sql`coalesce(
  s.language, case when b.language = any (${staffLanguages}::text[]) then b.language end, 'en'
) as language`;

/** The profile of the desk of `s`, or the first one. */
const PROFILE = sql`join profiles b on b.slug = coalesce(
  (select h.profile from handlers h where h.alias = s.alias), ${MAIN}
)`;

/** Where to write, if a visitor still waits. `mailedAt`: when the mail was taken. */
export function findWaitingTarget(
  db: Db,
  staffId: string,
): Promise<(StaffTarget & { mailedAt: string }) | undefined> {
  return first<StaffTarget & { mailedAt: string }>(db)`
    select s.email, b.display_name as "profileName", s.waiting_mailed_at::text as "mailedAt", ${LANGUAGE} from staff s
    ${PROFILE}
    where s.id = ${staffId} and s.active and s.waiting_mail
      and exists (select from ${AT_DESK} where ${WAITS})`;
}

/** Where to send a password link, if it is still valid. */
export function findLinkTarget(db: Db, staffId: string, tokenHash: Buffer): Promise<StaffTarget | undefined> {
  return first<StaffTarget>(db)`
    select s.email, b.display_name as "profileName", ${LANGUAGE}
    from password_links l join staff s on s.id = l.staff_id
    ${PROFILE}
    where l.staff_id = ${staffId} and l.token_hash = ${tokenHash} and l.expires_at > now() and s.active`;
}

/** False if nothing changes. */
export function setWaitingMail(db: Db, staffId: string, on: boolean): Promise<boolean> {
  return changed(db)`update staff set waiting_mail = ${on} where id = ${staffId} and waiting_mail <> ${on}`;
}
