import { type Db, exists, rows, run, type Sql, sql } from '../platform/db/query.ts';
import { Overloaded } from '../platform/limits/overloaded.ts';

/** The payload of a `mail` job. Everything else is read when it runs, except for what is stored nowhere else. */
export type MailJob =
  | { kind: 'reply'; conversationId: string }
  | { kind: 'waiting'; staffId: string }
  /** `sealed`: encrypted, and bound to the conversation or the person. */
  | { kind: 'code'; conversationId: string; sealed: string }
  | { kind: 'passwordLink'; staffId: string; sealed: string };

/** graphile-worker waits e^n seconds after attempt n: in all 3.6 hours, and at least five minutes after the sixth. */
export const MAIL_ATTEMPTS = 10;
/** A mail takes less time (mail/smtp.adapter.ts). */
const LOST_MINUTES = 10;

/** A newer mail replaces one with the same key that was not sent yet. */
export async function enqueueMail(db: Db, job: MailJob): Promise<void> {
  const key = mailKey(job.kind, 'staffId' in job ? job.staffId : job.conversationId);
  const added = await exists(db)`
    select from graphile_worker.add_job(
      'mail', ${JSON.stringify(job)}::json, job_key => ${key}, max_attempts => ${MAIL_ATTEMPTS}
    ) j where j.id is not null`;
  // A worker takes the previous one at this moment. The caller's transaction is undone.
  if (!added) throw new Overloaded();
}

function mailKey(kind: MailJob['kind'], id: string): string {
  return `mail:${kind}:${id}`;
}

/** Followed by the id of the conversation. */
export const REPLY_KEY_START = mailKey('reply', '');

/** Whether a mail about replies in this conversation is being sent now. */
export function isSendingReply(conversationId: Sql): Sql {
  return sql`exists (
    select from graphile_worker._private_jobs j
    where j.key = ${REPLY_KEY_START}::text || ${conversationId} and j.locked_at is not null
  )`;
}

/** When the conversation is erased, or the address removed. */
export async function dropMails(db: Db, conversationId: string): Promise<void> {
  for (const kind of ['reply', 'code'] as const)
    await run(db)`select graphile_worker.remove_job(${mailKey(kind, conversationId)})`;
}

/**
 * A killed process leaves its jobs locked for four hours. A job that takes too long is added again under its key, and the
 * old one never runs. The mail may be sent twice.
 */
export async function rescueMails(db: Db): Promise<number> {
  const jobs = await rows(db)`
    select graphile_worker.add_job('mail', j.payload, job_key => j.key, max_attempts => ${MAIL_ATTEMPTS})
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'mail' and j.key is not null
      and j.locked_at < now() - make_interval(mins => ${LOST_MINUTES})`;
  return jobs.length;
}

/**
 * A job that was replaced or dropped while it ran has no attempts left. If it fails or its process dies, graphile-worker
 * keeps it, with its encrypted content.
 */
export function deleteEndedMails(db: Db): Promise<void> {
  return run(db)`
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = 'mail' and j.attempts >= j.max_attempts
      and coalesce(j.locked_at < now() - interval '1 hour', true)`;
}
