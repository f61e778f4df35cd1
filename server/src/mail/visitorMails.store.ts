import { MAIL_AFTER_SECONDS, MAIL_APART_SECONDS, MAIL_CODE_MINUTES } from '@settee/protocol/model/mail';
import { MAIN } from '@settee/protocol/model/profile';
import type { Language } from '@settee/protocol/texts/languages';
import { FENCED_DESK } from '../platform/db/fence.ts';
import { profileOf } from '../platform/db/profileOf.ts';
import { column, type Db, first, one, rows, run, type Sql, sql } from '../platform/db/query.ts';
import { isSendingReply } from './mailJobs.store.ts';

const SOON = sql`now() + make_interval(secs => ${MAIL_AFTER_SECONDS}::double precision)`;
const CODE_EXPIRES = sql`now() + make_interval(mins => ${MAIL_CODE_MINUTES})`;
const NEXT_AT = sql`now() + make_interval(secs => ${MAIL_APART_SECONDS}::double precision)`;

export type VisitorMailRow = {
  address: Buffer | null;
  pending: Buffer | null;
  refused: boolean;
};

export function findVisitorMail(db: Db, conversationId: string): Promise<VisitorMailRow | undefined> {
  return first<VisitorMailRow>(db)`
    select address, case when code_expires_at > now() then pending end as pending,
      case when code_expires_at > now() then pending_refused else refused_at is not null end as refused
    from visitor_mails where conversation_id = ${conversationId}`;
}

type Pending = {
  conversationId: string;
  visitorId: string;
  pending: Buffer;
  codeHash: Buffer;
  language: Language;
};

/** Replaces the previous code. The confirmed address stays, and so does who left it. */
export function putPendingMail(db: Db, mail: Pending): Promise<void> {
  return run(db)`
    insert into visitor_mails as m
      (conversation_id, visitor_id, pending, code_hash, code_expires_at, language)
    values (${mail.conversationId}, ${mail.visitorId}, ${mail.pending}, ${mail.codeHash}, ${CODE_EXPIRES}, ${mail.language})
    on conflict (conversation_id) do update
    set pending = excluded.pending, code_hash = excluded.code_hash, code_expires_at = excluded.code_expires_at,
      code_failures = 0, pending_refused = false, language = excluded.language,
      visitor_id = case when m.address is null then excluded.visitor_id else m.visitor_id end`;
}

export type PendingMail = { codeHash: Buffer; failures: number };

/** Locks the row, so that parallel attempts are counted. Undefined if no code is valid. */
export function lockPendingMail(db: Db, conversationId: string): Promise<PendingMail | undefined> {
  return first<PendingMail>(db)`
    select code_hash as "codeHash", code_failures as failures from visitor_mails
    where conversation_id = ${conversationId} and pending is not null and code_expires_at > now()
    for update`;
}

export function countWrongMailCode(db: Db, conversationId: string): Promise<void> {
  return run(db)`
    update visitor_mails set code_failures = code_failures + 1 where conversation_id = ${conversationId}`;
}

/** From now on, mails go there. */
export function confirmPendingMail(db: Db, conversationId: string, visitorId: string): Promise<void> {
  return run(db)`
    update visitor_mails
    set address = pending, visitor_id = ${visitorId}, pending = null, code_hash = null, code_expires_at = null,
      code_failures = 0, pending_refused = false, refused_at = null, due_at = null, tries = 0
    where conversation_id = ${conversationId}`;
}

export function dropVisitorMail(db: Db, conversationId: string): Promise<void> {
  return run(db)`delete from visitor_mails where conversation_id = ${conversationId}`;
}

/** Of one removed device. */
export function dropVisitorMailOf(db: Db, conversationId: string, visitorId: string): Promise<void> {
  return run(db)`
    delete from visitor_mails where conversation_id = ${conversationId} and visitor_id = ${visitorId}`;
}

/** Of all devices of these conversations. */
export function dropVisitorMails(db: Db, conversationIds: readonly string[]): Promise<void> {
  return run(db)`delete from visitor_mails where conversation_id = any (${conversationIds}::uuid[])`;
}

const EXPIRED = sql`code_expires_at < now() and not exists (
  select from conversations c where c.id = visitor_mails.conversation_id and c.handler_alias = ${FENCED_DESK}
)`;

/** A code that nobody entered leaves no address behind. */
export const UNCONFIRMED = sql`address is null and ${EXPIRED}`;

/** The same beside a confirmed address. */
export function forgetPending(db: Db): Promise<void> {
  return run(db)`
    update visitor_mails set pending = null, code_hash = null, code_expires_at = null, pending_refused = false
    where address is not null and ${EXPIRED}`;
}

/**
 * Notes that mails about these unseen replies are due (push/pushDue.store.ts). A due mail covers the new message too.
 * `due` has the columns conversation_id, to_owner and seq.
 */
export function noteDueMails(due: Sql): Sql {
  return sql`
    update visitor_mails m
    set seq = due.seq, due_at = coalesce(m.due_at, greatest(
      ${SOON}, m.mailed_at + make_interval(secs => ${MAIL_APART_SECONDS}::double precision)
    ))
    from ${due} due join conversations c on c.id = due.conversation_id
    where m.conversation_id = due.conversation_id and not due.to_owner and c.visitor_seen < due.seq
      and m.address is not null and m.refused_at is null`;
}

/** Conversations with a mail that is due soon. */
export function listDueSoon(db: Db): Promise<string[]> {
  return column<string>(db, 'mails-due-soon')`
    select conversation_id from visitor_mails where due_at < now() + interval '30 seconds'`;
}

/** The visitor has a page open, and may look at it soon. */
export function postponeMails(db: Db, conversationIds: readonly string[]): Promise<void> {
  return run(db)`
    update visitor_mails set due_at = greatest(due_at, ${SOON})
    where conversation_id = any (${conversationIds}::uuid[]) and due_at is not null`;
}

/**
 * Takes the due mails. Returns their conversations. A mail waits until the one before it was sent, and while its desk
 * moves. The tries of a mail that was seen meanwhile do not count for the next one.
 */
export function takeDueMails(db: Db, batch: number): Promise<string[]> {
  return column<string>(db)`
    update visitor_mails m
    set due_at = null, tries = case when c.visitor_seen < m.seq then m.tries else 0 end
    from conversations c
    where c.id = m.conversation_id and m.conversation_id = any (array(
      select m.conversation_id from visitor_mails m join conversations c on c.id = m.conversation_id
      where m.due_at <= now() and c.handler_alias is distinct from ${FENCED_DESK}
        and not ${isSendingReply(sql`m.conversation_id`)}
      order by m.due_at limit ${batch} for update of m skip locked
    ))
    returning m.conversation_id`;
}

/** The language of the mails of this conversation. Without mails, that of the profile. */
export async function readMailLanguage(db: Db, conversationId: string | undefined): Promise<Language> {
  const { language } = await one<{ language: Language }>(db)`
    with chat as (
      select b.language, m.language as chosen from conversations c ${profileOf(sql`c.handler_alias`)}
        left join visitor_mails m on m.conversation_id = c.id
      where c.id = ${conversationId ?? null}::uuid
    )
    select coalesce(chat.chosen, chat.language, main.language) as language
    from profiles main left join chat on true where main.slug = ${MAIN}`;
  return language;
}

type CodeTarget = { address: Buffer; language: Language; profileName: string };
/** `tries`: how often a mail server did not take the mail about `seq`, or about a message before it. */
export type ReplyTarget = CodeTarget & { mark: string | null; seq: number; tries: number };

/** Where to write, if the reply was not seen meanwhile and the visitor still has access. */
export function findReplyTarget(db: Db, conversationId: string): Promise<ReplyTarget | undefined> {
  return first<ReplyTarget>(db)`
    select m.address, m.language, b.display_name as "profileName", m.seq, m.tries,
      case when b.slug <> ${MAIN} then b.mark end as mark
    from visitor_mails m join conversations c on c.id = m.conversation_id
      join devices d on d.conversation_id = c.id and d.visitor_id = m.visitor_id and d.revoked_at is null
      ${profileOf(sql`c.handler_alias`)}
    where m.conversation_id = ${conversationId} and m.address is not null and m.refused_at is null
      and c.visitor_seen < m.seq and b.visitor_mail`;
}

/** Where to send a code. */
export function findCodeTarget(db: Db, conversationId: string): Promise<CodeTarget | undefined> {
  return first<CodeTarget>(db)`
    select m.pending as address, m.language, b.display_name as "profileName"
    from visitor_mails m join conversations c on c.id = m.conversation_id
      ${profileOf(sql`c.handler_alias`)}
    where m.conversation_id = ${conversationId} and m.pending is not null and m.code_expires_at > now()`;
}

export function recordReplyMailed(db: Db, conversationId: string): Promise<void> {
  return run(db)`
    update visitor_mails
    set mailed_at = now(), due_at = case when due_at is not null then greatest(due_at, ${NEXT_AT}) end, tries = 0
    where conversation_id = ${conversationId}`;
}

export type Deferral = { tries: number; givesUp: boolean; maybeSent: boolean };

/**
 * The mail becomes due again, after the delays of graphile-worker but at least a minute: the visitor may open the page or
 * see the reply meanwhile. When it is given up, only a newer reply causes a mail. One that may have been sent counts for
 * the time to the next.
 */
export function recordReplyDeferred(
  db: Db,
  { conversationId, address }: { conversationId: string; address: Buffer },
  { tries, givesUp, maybeSent }: Deferral,
): Promise<void> {
  const delay = sql`make_interval(secs => exp(${tries}::double precision))`;
  return run(db)`
    update visitor_mails
    set tries = ${givesUp ? 0 : tries}, mailed_at = case when ${maybeSent} then now() else mailed_at end,
      due_at = case when ${givesUp} then due_at else greatest(
        due_at, ${SOON}, now() + ${delay}, case when ${maybeSent} then ${NEXT_AT} end
      ) end
    where conversation_id = ${conversationId} and address = ${address}`;
}

/** Nothing is sent there any more. The visitor is told, and can enter another address. */
export function recordReplyRefused(db: Db, conversationId: string, address: Buffer): Promise<void> {
  return run(db)`
    update visitor_mails set refused_at = now(), due_at = null
    where conversation_id = ${conversationId} and address = ${address}`;
}

/** The mail may have been sent late, and the code needs its time. */
export function recordCodeSent(db: Db, conversationId: string, pending: Buffer): Promise<void> {
  return run(db)`
    update visitor_mails set code_expires_at = ${CODE_EXPIRES}
    where conversation_id = ${conversationId} and pending = ${pending}`;
}

export function recordCodeRefused(db: Db, conversationId: string, pending: Buffer): Promise<void> {
  return run(db)`
    update visitor_mails set pending_refused = true
    where conversation_id = ${conversationId} and pending = ${pending}`;
}

export type SealedMail = { conversationId: string; address: Buffer | null; pending: Buffer | null };

/** Locks them, so that no address that a visitor changes meanwhile is replaced by the old one. */
export function listSealedMails(db: Db): Promise<SealedMail[]> {
  return rows<SealedMail>(db)`
    select conversation_id as "conversationId", address, pending from visitor_mails
    order by conversation_id for update`;
}

export function resealMail(db: Db, mail: SealedMail): Promise<void> {
  return run(db)`
    update visitor_mails set address = ${mail.address}, pending = ${mail.pending}
    where conversation_id = ${mail.conversationId}`;
}

/** After SECRET was lost, when nobody can read them, and after a restore, because some may have been removed. */
export function dropAllVisitorMails(db: Db): Promise<void> {
  return run(db)`delete from visitor_mails`;
}
