import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import type { Tables } from '../engine/tables.ts';
import { pushKey } from '../push/pushDue.ts';
import { lockVisitor } from './devices.ts';

type Queries = Kysely<Tables>;

/** Rows per delete: keeps locks short and avoids the statement timeout. */
const STEP = 5_000;

/** No message for more than this many days; never if null. */
export function inactiveFor(days: RawBuilder<number | null>): RawBuilder<boolean> {
  return sql<boolean>`c.last_message_at < now() - make_interval(days => ${days})`;
}

/** Past retention: see findExpiredConversations. Checked again under the lock. */
export const EXPIRED = inactiveFor(sql`coalesce(i.keep_days, b.keep_days)`);

export type Erased = { handlerAlias: string };

/** Who deletes a conversation. Retention only deletes expired ones; a visitor cannot delete a blocked one. */
export type ErasedBy = Tables['deleted_conversations']['deleted_by'];

/**
 * Deletes a conversation with all its data; undefined if there is none. Some messages of a very long one may remain,
 * unreachable, until the job finishErasure removes them. Call it in a transaction, just before the audit entry. Locks
 * the invite before the conversation, like attaching a device. `append_messages` waits for the conversation's row and
 * then finds nothing.
 */
export async function eraseRows(
  db: Queries,
  conversationId: string,
  by: ErasedBy,
): Promise<Erased | undefined> {
  await sql`
    select from invites where id = (select invite_id from conversations where id = ${conversationId}) for update
  `.execute(db);
  const { rows } = await sql<{ handlerAlias: string; inviteId: string; visitorId: string }>`
    select c.handler_alias as "handlerAlias", c.invite_id as "inviteId", c.visitor_id as "visitorId"
    from conversations c join invites i on i.id = c.invite_id cross join brand b
    where c.id = ${conversationId} and (${by !== 'retention'} or ${EXPIRED})
      and (${by !== 'visitor'} or (c.status <> 'blocked' and b.visitor_erase))
    for update of c`.execute(db);
  const [conversation] = rows;
  if (conversation === undefined) return undefined;
  const { handlerAlias, inviteId, visitorId } = conversation;
  const visitors = await placesIn(db, conversationId, visitorId);
  await lockVisitors(db, visitors);

  await sql`insert into erasures (conversation_id, visitors) values (${conversationId}, ${visitors}::uuid[])`.execute(
    db,
  );
  await db
    .insertInto('deleted_conversations')
    .values({ conversation_id: conversationId, handler_alias: handlerAlias, deleted_by: by })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await erasePictures(db, conversationId);
  const desks = await desksOf(db, conversationId, handlerAlias);
  for (const table of ['push_due', 'notes', 'devices'] as const) {
    await db.deleteFrom(table).where('conversation_id', '=', conversationId).execute();
  }
  await eraseViews(db, conversationId);
  // After the rows that create jobs: a scheduler locks its row first, then the job.
  await endPushes(db, conversationId, { visitors, desks });
  await eraseIndex(db, conversationId);
  const more = (await eraseStep(db, conversationId)) === STEP;
  await db.deleteFrom('conversations').where('id', '=', conversationId).execute();
  await endInvite(db, inviteId);
  await eraseVisitors(db, visitors);
  if (more) {
    await sql`select graphile_worker.add_job(
      'finishErasure', json_build_object('conversationId', ${conversationId}::text),
      job_key := 'finishErasure ' || ${conversationId}::text
    )`.execute(db);
  }
  return { handlerAlias };
}

async function placesIn(db: Queries, conversationId: string, first: string): Promise<string[]> {
  const devices = await db
    .selectFrom('devices')
    .select('visitor_id')
    .where('conversation_id', '=', conversationId)
    .execute();
  return [...new Set([first, ...devices.map((device) => device.visitor_id)])];
}

/**
 * Waits for claims in another tab: a visitor who attaches elsewhere keeps name and notifications. Before devices are
 * locked, and in a fixed order, to avoid deadlocks.
 */
async function lockVisitors(db: Queries, visitors: string[]): Promise<void> {
  for (const visitor of visitors.toSorted()) await lockVisitor(db, visitor);
}

async function eraseViews(db: Queries, conversationId: string): Promise<void> {
  await db.deleteFrom('conversation_views').where('conversation_id', '=', conversationId).execute();
}

/** Every desk the conversation was at: each may have pending notifications. */
async function desksOf(db: Queries, conversationId: string, now: string): Promise<string[]> {
  const moves = await db
    .selectFrom('notes')
    .select('from_alias')
    .where('conversation_id', '=', conversationId)
    .where('from_alias', 'is not', null)
    .execute();
  return [...new Set([now, ...moves.flatMap((move) => move.from_alias ?? [])])];
}

/** Removes pending notifications by job key (db/push/pushDue.ts). One that is being sent finds no conversation. */
async function endPushes(
  db: Queries,
  conversationId: string,
  { visitors, desks }: { visitors: string[]; desks: string[] },
): Promise<void> {
  await sql`
    select graphile_worker.remove_job(${pushKey(sql`s.id`, sql`${conversationId}::text`)})
    from push_subscriptions s
    where s.visitor_id = any (${visitors}::uuid[]) or s.alias = any (${desks}::text[])`.execute(db);
}

/** Deletes the rows now. Jobs delete the objects, with retries while the store is unavailable. */
async function erasePictures(db: Queries, conversationId: string): Promise<void> {
  await sql`
    with gone as (delete from media where conversation_id = ${conversationId} returning id, staged_path, path)
    select graphile_worker.remove_job('processMedia ' || id), graphile_worker.remove_job('removeStaged ' || id),
      graphile_worker.add_job(
        'removeMedia', json_build_object('paths', json_build_array(staged_path, path)),
        job_key := 'removeMedia ' || id
      )
    from gone`.execute(db);
}

/** The head first: waits for a gateway that is indexing this conversation. */
async function eraseIndex(db: Queries, conversationId: string): Promise<void> {
  await sql`delete from search_heads where conversation_id = ${conversationId}`.execute(db);
}

/** Returns the number of deleted rows; less than STEP means that all are gone. */
async function eraseStep(db: Queries, conversationId: string): Promise<number> {
  const { numAffectedRows: messages = 0n } = await sql`
    delete from messages where conversation_id = ${conversationId} and seq = any (array(
      select seq from messages where conversation_id = ${conversationId} order by seq limit ${STEP}
    ))`.execute(db);
  const { numAffectedRows: entries = 0n } = await sql`
    delete from search_entries where conversation_id = ${conversationId} and seq = any (array(
      select seq from search_entries where conversation_id = ${conversationId} order by seq limit ${STEP}
    ))`.execute(db);
  return Number(messages > entries ? messages : entries);
}

/** The link is revoked, and its label removed. */
async function endInvite(db: Queries, inviteId: string): Promise<void> {
  await db
    .updateTable('invites')
    .set({
      state: 'REVOKED',
      revoked_at: sql<Date>`coalesce(revoked_at, now())`,
      label: '',
      code_hash: null,
      code_failures: 0,
      code_failures_in_life: 0,
      code_locked_until: null,
    })
    .where('id', '=', inviteId)
    .execute();
}

/** Deletes data of visitors without any other device. */
async function eraseVisitors(db: Queries, visitors: string[]): Promise<void> {
  await sql`
    with alone as materialized (
      select v.id from unnest(${visitors}::uuid[]) as v (id)
      where not exists (select from devices d where d.visitor_id = v.id and d.revoked_at is null)
    ),
    profiles as (delete from visitor_profiles p using alone where p.visitor_id = alone.id),
    pushes as (delete from push_subscriptions s using alone where s.visitor_id = alone.id)
    delete from rate_limits r using alone where position(alone.id::text in r.key) > 0`.execute(db);
}

/** Deletes the rest of a long conversation. Safe to repeat. */
export async function finishErasure(db: Database, conversationId: string): Promise<void> {
  while ((await eraseStep(db.sql, conversationId)) === STEP);
}

/** Whether it was erased recently and belonged to this visitor. */
export async function wasErasedFor(
  db: Queries,
  conversationId: string,
  { visitorId }: { visitorId: string },
): Promise<boolean> {
  const found = await db
    .selectFrom('erasures')
    .select('conversation_id')
    .where('conversation_id', '=', conversationId)
    .where(sql<boolean>`${visitorId}::uuid = any (visitors)`)
    .executeTakeFirst();
  return found !== undefined;
}

export type Erasure = { conversationId: string; visitors: string[] };

/** Erasures older than an hour: no upload or job can still be running. */
export async function listOldErasures(db: Queries, limit: number): Promise<Erasure[]> {
  return db
    .selectFrom('erasures')
    .select(['conversation_id as conversationId', 'visitors'])
    .where('erased_at', '<', sql<Date>`now() - interval '1 hour'`)
    .orderBy('erased_at')
    .limit(limit)
    .execute();
}

/** Deletes again what was written during the erasure. The erasure's own row goes last. */
export async function forgetErasure(db: Database, { conversationId, visitors }: Erasure): Promise<void> {
  await eraseIndex(db.sql, conversationId);
  await finishErasure(db, conversationId);
  await db.sql.transaction().execute(async (step) => {
    await lockVisitors(step, visitors);
    await eraseVisitors(step, visitors);
  });
  await eraseViews(db.sql, conversationId);
  await sql`select graphile_worker.remove_job('finishErasure ' || ${conversationId}::text)`.execute(db.sql);
  await db.sql.deleteFrom('erasures').where('conversation_id', '=', conversationId).execute();
}
