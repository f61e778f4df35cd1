import { type Kysely, sql } from 'kysely';
import type { Visitor } from '../../caller.ts';
import type { Tables } from '../engine/tables.ts';

type Queries = Kysely<Tables>;

export type ProfileRow = {
  visitorId: string;
  displayName: string;
  createdAt: Date;
  /** The specification's push token. */
  pushEndpoint: string | null;
};

export async function findProfile(db: Queries, visitorId: string): Promise<ProfileRow | undefined> {
  return db
    .selectFrom('visitor_profiles')
    .select([
      'visitor_id as visitorId',
      'display_name as displayName',
      'created_at as createdAt',
      newestEndpoint().as('pushEndpoint'),
    ])
    .where('visitor_id', '=', visitorId)
    .executeTakeFirst();
}

export async function upsertProfile(
  db: Queries,
  visitorId: string,
  displayName: string,
): Promise<ProfileRow> {
  return db
    .insertInto('visitor_profiles')
    .values({ visitor_id: visitorId, display_name: displayName })
    .onConflict((conflict) =>
      conflict.column('visitor_id').doUpdateSet({ display_name: displayName, updated_at: sql<Date>`now()` }),
    )
    .returning([
      'visitor_id as visitorId',
      'display_name as displayName',
      'created_at as createdAt',
      newestEndpoint().as('pushEndpoint'),
    ])
    .executeTakeFirstOrThrow();
}

function newestEndpoint() {
  return sql<string | null>`(
    select endpoint from push_subscriptions
    where push_subscriptions.visitor_id = visitor_profiles.visitor_id
    order by refreshed_at desc limit 1
  )`;
}

/** Sets the visitor's name in a conversation; false without a device there. */
export async function setVisitorName(
  db: Queries,
  visitor: Visitor,
  conversationId: string,
  visitorName: string,
): Promise<boolean> {
  const result = await db
    .updateTable('conversations')
    .from('devices')
    .set({ visitor_name: visitorName, rev: sql<number>`conversations.rev + 1` })
    .where('conversations.id', '=', conversationId)
    .whereRef('devices.conversation_id', '=', 'conversations.id')
    .where('devices.visitor_id', '=', visitor.visitorId)
    .where('devices.credential', '=', visitor.credential)
    .where('devices.revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
