import { Seq, Uuid } from '@settee/protocol/model/ids';
import { PUSH_APART_MS } from '@settee/protocol/model/push';
import * as v from 'valibot';
import { noteDueMails } from '../mail/visitorMails.store.ts';
import type { SecondFactorPolicy } from '../platform/config/config.ts';
import type { Database } from '../platform/db/database.ts';
import { profileOf } from '../platform/db/profileOf.ts';
import { type Db, first, one, run, type Sql, sql } from '../platform/db/query.ts';
import { verifiedSql } from '../staff/staff.store.ts';

/** The payload of a `push` job. Everything else is read when it runs. */
export const PushJob = v.object({
  subscriptionId: Uuid,
  conversationId: Uuid,
  /** The newest message to notify about. */
  seq: Seq,
  /** After a failure: the time of the first attempt, and the number of attempts. */
  since: v.optional(v.number()),
  tries: v.optional(v.number()),
});
export type PushJob = v.InferOutput<typeof PushJob>;

/** Who is notified about message `due` of conversation `c`, by the current state. */
const recipients = (policy: SecondFactorPolicy) => sql`
  (
    -- A visitor's browsers that still have their place in the conversation
    select s.id from devices d join push_subscriptions s on s.visitor_id = d.visitor_id
    where not due.to_owner and d.conversation_id = c.id and d.revoked_at is null and c.visitor_seen < due.seq
    union all
    -- Staff of the desk where it is now, on devices where they are still signed in
    select s.id from desk_staff desk
      join staff on staff.id = desk.staff_id
      join push_subscriptions s on s.staff_id = staff.id
      join staff_sessions session on session.id = s.session_id
    where due.to_owner and desk.alias = c.handler_alias and not desk.off and c.status = 'open' and c.owner_seen < due.seq
      and staff.active and staff.role in ('handler', 'admin')
      and session.revoked_at is null and session.expires_at > now() and ${verifiedSql(policy)}
  )`;

/** At most one job per subscription and conversation. */
export function pushKey(subscription: Sql, conversation: Sql): Sql {
  return sql`'push:' || ${subscription} || ':' || ${conversation}`;
}

/**
 * Converts due rows into one job per device, in one transaction. Rows that need no notification any more, or are older
 * than a day, are only removed. `skip locked` lets any number of processes run this. If a worker takes a job with the
 * same key at this moment, graphile-worker adds nothing and the row stays due. Replies to a visitor who left an address
 * become due as a mail. Returns the number of rows.
 */
export function enqueueDuePushes(
  db: Db,
  policy: SecondFactorPolicy,
  batch: number,
): Promise<{ taken: number; jobs: number }> {
  return one<{ taken: number; jobs: number }>(db)`
    with due as materialized (
      select p.conversation_id, p.to_owner, p.seq, p.due_at from push_due p
      where p.due_at <= now() order by p.due_at limit ${batch} for update skip locked
    ),
    devices_told as materialized (
      select due.conversation_id, due.to_owner, due.seq, r.id as subscription_id
      from due join conversations c on c.id = due.conversation_id cross join lateral ${recipients(policy)} r
      where due.due_at > now() - interval '1 day'
    ),
    jobs as materialized (
      select conversation_id, to_owner, (graphile_worker.add_job(
        'push',
        json_build_object('subscriptionId', subscription_id, 'conversationId', conversation_id, 'seq', seq),
        job_key => ${pushKey(sql`subscription_id`, sql`conversation_id`)}
      )).id
      from devices_told
    ),
    mails as (${noteDueMails(sql`due`)}),
    done as (
      update push_due p set due_at = null from due
      where p.conversation_id = due.conversation_id and p.to_owner = due.to_owner and not exists (
        select from jobs j where j.conversation_id = p.conversation_id and j.to_owner = p.to_owner and j.id is null
      )
    )
    select (select count(*)::int from due) as taken, (select count(id)::int from jobs) as jobs`;
}

export type PushTarget = {
  toOwner: boolean;
  endpoint: string;
  p256dh: string;
  auth: string;
  profileName: string;
  visitorId: string;
  visitorName: string;
  /** The person answers for several profiles. */
  severalProfiles: boolean;
};

export function findPushTarget(
  db: Db,
  policy: SecondFactorPolicy,
  job: PushJob,
): Promise<PushTarget | undefined> {
  return first<PushTarget>(db)`
    with due as (
      select s.id, s.alias is not null as to_owner, ${job.seq}::integer as seq, s.endpoint, s.p256dh, s.auth,
        s.staff_id
      from push_subscriptions s where s.id = ${job.subscriptionId}
    )
    select due.to_owner as "toOwner", due.endpoint, due.p256dh, due.auth, b.display_name as "profileName",
      c.visitor_id as "visitorId", c.visitor_name as "visitorName", (
        select count(distinct h.profile) > 1 from desk_staff d join handlers h on h.alias = d.alias
        where d.staff_id = due.staff_id
      ) as "severalProfiles"
    from due join conversations c on c.id = ${job.conversationId}
      ${profileOf(sql`c.handler_alias`)}
    where exists (select from ${recipients(policy)} r where r.id = due.id)`;
}

/** Sets the pause before the next notification of this conversation, also for one that is already due. */
export function recordPushed(db: Db, job: PushJob, toOwner: boolean): Promise<void> {
  return run(db)`
    update push_due p set pushed_at = now(), due_at = case
      when p.due_at is not null
        then greatest(p.due_at, now() + make_interval(secs => ${PUSH_APART_MS / 1_000}::double precision))
    end
    where p.conversation_id = ${job.conversationId} and p.to_owner = ${toOwner}`;
}

/**
 * Runs the same job again later, unless a newer one has the key. A running job has lost its key, so the new one is a
 * separate row.
 */
export async function reschedulePush(
  db: Database,
  { jobId, job, toOwner, seconds }: { jobId: string; job: PushJob; toOwner: boolean; seconds: number },
): Promise<void> {
  const key = `push:${job.subscriptionId}:${job.conversationId}`;
  await db.transaction(async (step) => {
    // The scheduler locks this row until its new job is visible.
    await run(step)`
      select from push_due where conversation_id = ${job.conversationId} and to_owner = ${toOwner} for update`;
    await run(step)`
      select graphile_worker.add_job(
        'push', ${JSON.stringify(job)}::json, job_key => ${key},
        run_at => now() + make_interval(secs => ${seconds}::double precision)
      )
      where not exists (select from graphile_worker.jobs j where j.key = ${key} and j.id <> ${jobId}::bigint)`;
  });
}
