import { markEnded } from '../conversations/searchDue.store.ts';
import { type Db, first, one, sql, value } from '../platform/db/query.ts';
import type { Visitor } from '../platform/ports/caller.ts';

export type ProfileRow = {
  visitorId: string;
  displayName: string;
  createdAt: Date;
  /** The specification's push token. */
  pushEndpoint: string | null;
};

const COLUMNS = sql`visitor_id as "visitorId", display_name as "displayName", created_at as "createdAt", (
    select endpoint from push_subscriptions
    where push_subscriptions.visitor_id = visitor_profiles.visitor_id
    order by refreshed_at desc limit 1
  ) as "pushEndpoint"`;

export function findProfile(db: Db, visitorId: string): Promise<ProfileRow | undefined> {
  return first<ProfileRow>(db)`select ${COLUMNS} from visitor_profiles where visitor_id = ${visitorId}`;
}

export function upsertProfile(db: Db, visitorId: string, displayName: string): Promise<ProfileRow> {
  return one<ProfileRow>(db)`
    insert into visitor_profiles (visitor_id, display_name) values (${visitorId}, ${displayName})
    on conflict (visitor_id) do update set display_name = excluded.display_name, updated_at = now()
    returning ${COLUMNS}`;
}

/** Sets the visitor's name in a conversation; false without a device there. */
export async function setVisitorName(
  db: Db,
  visitor: Visitor,
  conversationId: string,
  visitorName: string,
): Promise<boolean> {
  const renamed = await value<boolean>(db)`
    with renamed as (
      update conversations c set visitor_name = ${visitorName}, rev = c.rev + 1
      from devices d
      where c.id = ${conversationId} and d.conversation_id = c.id and d.visitor_id = ${visitor.visitorId}
        and d.credential = ${visitor.credential} and d.revoked_at is null
      returning c.id, c.handler_alias, c.status
    ), marked as (${markEnded(sql`renamed`)})
    select true from renamed`;
  return renamed ?? false;
}
