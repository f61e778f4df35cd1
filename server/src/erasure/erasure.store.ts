import { dropMails } from '../mail/mailJobs.store.ts';
import type { Database } from '../platform/db/database.ts';
import { profileOf } from '../platform/db/profileOf.ts';
import { affected, column, type Db, exists, first, rows, run, type Sql, sql } from '../platform/db/query.ts';
import { pushKey } from '../push/pushDue.store.ts';
import { lockVisitor } from '../visitors/devices.store.ts';

/** Rows per delete: keeps locks short and avoids the statement timeout. */
const STEP = 5_000;

/** No message for more than this many days; never if null. */
export function inactiveFor(days: Sql): Sql {
  return sql`c.last_message_at < now() - make_interval(days => ${days})`;
}

/** Past retention: see expiredConversations. Checked again under the lock. */
export const EXPIRED = inactiveFor(sql`coalesce(i.keep_days, b.keep_days)`);

export type Erased = { handlerAlias: string };

/** Who deletes a conversation. Retention only deletes expired ones; a visitor cannot delete a blocked one. */
type ErasedBy = 'visitor' | 'staff' | 'retention';

/**
 * Deletes a conversation with all its data; undefined if there is none. Some messages of a very long one may remain,
 * unreachable, until the job finishErasure removes them. Call it in a transaction, just before the audit entry. Locks
 * the invite before the conversation, like attaching a device. `append_messages` waits for the conversation's row and
 * then finds nothing.
 */
export async function eraseRows(db: Db, conversationId: string, by: ErasedBy): Promise<Erased | undefined> {
  await run(db)`
    select from invites where id = (select invite_id from conversations where id = ${conversationId}) for update`;
  const conversation = await first<{ handlerAlias: string; inviteId: string; visitorId: string }>(db)`
    select c.handler_alias as "handlerAlias", c.invite_id as "inviteId", c.visitor_id as "visitorId"
    from conversations c join invites i on i.id = c.invite_id ${profileOf(sql`c.handler_alias`)}
    where c.id = ${conversationId} and (${by !== 'retention'} or ${EXPIRED})
      and (${by !== 'visitor'} or (c.status <> 'blocked' and b.visitor_erase))
    for update of c`;
  if (conversation === undefined) return undefined;
  const { handlerAlias, inviteId, visitorId } = conversation;
  const visitors = await placesIn(db, conversationId, visitorId);
  await lockVisitors(db, visitors);

  await run(db)`
    insert into erasures (conversation_id, visitors) values (${conversationId}, ${visitors}::uuid[])`;
  await run(db)`
    insert into deleted_conversations (conversation_id, handler_alias, deleted_by)
    values (${conversationId}, ${handlerAlias}, ${by}) on conflict do nothing`;
  await erasePictures(db, conversationId);
  const desks = await desksOf(db, conversationId, handlerAlias);
  for (const table of [sql`push_due`, sql`visitor_mails`, sql`notes`, sql`devices`]) {
    await run(db)`delete from ${table} where conversation_id = ${conversationId}`;
  }
  await eraseViews(db, conversationId);
  // After the rows that create jobs: a scheduler locks its row first, then the job.
  await endPushes(db, conversationId, { visitors, desks });
  await dropMails(db, conversationId);
  await eraseIndex(db, conversationId);
  const more = (await eraseStep(db, conversationId)) === STEP;
  await run(db)`delete from conversations where id = ${conversationId}`;
  await run(db)`delete from webhook_deliveries where invite_id = ${inviteId}`;
  await endInvite(db, inviteId);
  await eraseVisitors(db, visitors);
  if (more) {
    await run(db)`select graphile_worker.add_job(
      'finishErasure', json_build_object('conversationId', ${conversationId}::text),
      job_key := 'finishErasure ' || ${conversationId}::text
    )`;
  }
  return { handlerAlias };
}

async function placesIn(db: Db, conversationId: string, visitorId: string): Promise<string[]> {
  const devices = await column<string>(db)`
    select visitor_id from devices where conversation_id = ${conversationId}`;
  return [...new Set([visitorId, ...devices])];
}

/**
 * Waits for claims in another tab: a visitor who attaches elsewhere keeps name and notifications. Before devices are
 * locked, and in a fixed order, to avoid deadlocks.
 */
async function lockVisitors(db: Db, visitors: string[]): Promise<void> {
  for (const visitor of visitors.toSorted()) await lockVisitor(db, visitor);
}

async function eraseViews(db: Db, conversationId: string): Promise<void> {
  for (const table of [sql`conversation_views`, sql`api_key_reads`]) {
    await run(db)`delete from ${table} where conversation_id = ${conversationId}`;
  }
}

/** Every desk the conversation was at: each may have pending notifications. */
async function desksOf(db: Db, conversationId: string, now: string): Promise<string[]> {
  const former = await column<string>(db)`
    select from_alias from notes where conversation_id = ${conversationId} and from_alias is not null`;
  return [...new Set([now, ...former])];
}

/** Removes pending notifications by job key (push/pushDue.store.ts). One that is being sent finds no conversation. */
function endPushes(
  db: Db,
  conversationId: string,
  { visitors, desks }: { visitors: string[]; desks: string[] },
): Promise<void> {
  return run(db)`
    select graphile_worker.remove_job(${pushKey(sql`s.id`, sql`${conversationId}::text`)})
    from push_subscriptions s
    where s.visitor_id = any (${visitors}::uuid[])
      or s.staff_id in (select d.staff_id from desk_staff d where d.alias = any (${desks}::text[]))`;
}

/** Deletes the rows now. Jobs delete the objects, with retries while the store is unavailable. */
function erasePictures(db: Db, conversationId: string): Promise<void> {
  return run(db)`
    with gone as (delete from media where conversation_id = ${conversationId} returning id, staged_path, path)
    select graphile_worker.remove_job('processMedia ' || id), graphile_worker.remove_job('removeStaged ' || id),
      graphile_worker.add_job(
        'removeMedia', json_build_object('paths', json_build_array(staged_path, path)),
        job_key := 'removeMedia ' || id
      )
    from gone`;
}

/** The head first: waits for a gateway that is indexing this conversation. */
async function eraseIndex(db: Db, conversationId: string): Promise<void> {
  await run(db)`delete from search_heads where conversation_id = ${conversationId}`;
  await run(db)`delete from search_due where conversation_id = ${conversationId}`;
}

/** Returns the number of deleted rows; less than STEP means that all are gone. */
async function eraseStep(db: Db, conversationId: string): Promise<number> {
  const messages = await affected(db)`
    delete from messages where conversation_id = ${conversationId} and seq = any (array(
      select seq from messages where conversation_id = ${conversationId} order by seq limit ${STEP}
    ))`;
  const entries = await affected(db)`
    delete from search_entries where conversation_id = ${conversationId} and seq = any (array(
      select seq from search_entries where conversation_id = ${conversationId} order by seq limit ${STEP}
    ))`;
  return Math.max(messages, entries);
}

/** The link is revoked, and its label removed. */
function endInvite(db: Db, inviteId: string): Promise<void> {
  return run(db)`
    update invites set state = 'REVOKED', revoked_at = coalesce(revoked_at, now()), label = '', code_hash = null,
      code_failures = 0, code_failures_in_life = 0, code_failures_of_link = 0, code_locked_until = null
    where id = ${inviteId}`;
}

/** Deletes data of visitors without any other device. */
function eraseVisitors(db: Db, visitors: string[]): Promise<void> {
  return run(db)`
    with alone as materialized (
      select v.id from unnest(${visitors}::uuid[]) as v (id)
      where not exists (select from devices d where d.visitor_id = v.id and d.revoked_at is null)
    ),
    profiles as (delete from visitor_profiles p using alone where p.visitor_id = alone.id),
    pushes as (delete from push_subscriptions s using alone where s.visitor_id = alone.id),
    arrived as (delete from arrived_visitors a using alone where a.visitor_id = alone.id)
    delete from rate_limits r using alone where position(alone.id::text in r.key) > 0`;
}

/** Deletes the rest of a long conversation. Safe to repeat. */
export async function finishErasure(db: Db, conversationId: string): Promise<void> {
  while ((await eraseStep(db, conversationId)) === STEP);
}

/** Whether it was erased recently and belonged to this visitor. */
export function wasErasedFor(
  db: Db,
  conversationId: string,
  { visitorId }: { visitorId: string },
): Promise<boolean> {
  return exists(db)`
    select from erasures where conversation_id = ${conversationId} and ${visitorId}::uuid = any (visitors)`;
}

export type Erasure = { conversationId: string; visitors: string[] };

/** Erasures older than an hour: no upload or job can still be running. */
export function listOldErasures(db: Db, limit: number): Promise<Erasure[]> {
  return rows<Erasure>(db)`
    select conversation_id as "conversationId", visitors from erasures
    where erased_at < now() - interval '1 hour' order by erased_at limit ${limit}`;
}

/** Deletes again what was written during the erasure. The erasure's own row goes last. */
export async function forgetErasure(db: Database, { conversationId, visitors }: Erasure): Promise<void> {
  await eraseIndex(db, conversationId);
  await finishErasure(db, conversationId);
  await db.transaction(async (step) => {
    await lockVisitors(step, visitors);
    await eraseVisitors(step, visitors);
  });
  await eraseViews(db, conversationId);
  await run(db)`select graphile_worker.remove_job('finishErasure ' || ${conversationId}::text)`;
  await run(db)`delete from erasures where conversation_id = ${conversationId}`;
}
