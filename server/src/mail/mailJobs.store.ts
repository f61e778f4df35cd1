import { Uuid } from '@settee/protocol/model/ids';
import * as v from 'valibot';
import { type Db, exists, run, type Sql, sql } from '../platform/db/query.ts';
import { Overloaded } from '../platform/limits/overloaded.ts';

/**
 * The payload of a `mail` job. Everything else is read when it runs, except for what is stored nowhere else. `sealed`:
 * encrypted, and bound to the conversation or the person.
 */
export const MailJob = v.variant('kind', [
  v.object({ kind: v.literal('reply'), conversationId: Uuid }),
  v.object({ kind: v.literal('waiting'), staffId: Uuid }),
  v.object({ kind: v.literal('code'), conversationId: Uuid, sealed: v.string() }),
  v.object({ kind: v.literal('passwordLink'), staffId: Uuid, sealed: v.string() }),
]);
export type MailJob = v.InferOutput<typeof MailJob>;

/** graphile-worker waits e^n seconds after attempt n: in all 3.6 hours, and at least five minutes after the sixth. */
export const MAIL_ATTEMPTS = 10;

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
    select from graphile_worker.jobs j
    where j.key = ${REPLY_KEY_START}::text || ${conversationId} and j.locked_at is not null
  )`;
}

/** When the conversation is erased, or the address removed. */
export async function dropMails(db: Db, conversationId: string): Promise<void> {
  for (const kind of ['reply', 'code'] as const)
    await run(db)`select graphile_worker.remove_job(${mailKey(kind, conversationId)})`;
}

/**
 * A job that was replaced or dropped while it ran has no attempts left. If it fails or its process dies, graphile-worker
 * keeps it, with its encrypted content.
 */
export function deleteEndedMails(db: Db): Promise<void> {
  return run(db)`
    select graphile_worker.complete_jobs(array(
      select j.id from graphile_worker.jobs j where j.task_identifier = 'mail' and j.attempts >= j.max_attempts
    ))`;
}
