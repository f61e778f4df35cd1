import { changed, column, type Db, run } from '../platform/db/query.ts';

/**
 * Records that an administrator opened conversations of other desks. Returns those not recorded within the last hour.
 */
export function recordNewViews(
  db: Db,
  view: { conversationIds: string[]; staffId: string; ownDesk: string | null },
): Promise<string[]> {
  // Ordered, to avoid deadlocks.
  return column<string>(db)`
    insert into conversation_views as v (conversation_id, staff_id, what)
    select c.id, ${view.staffId}, 'view' from conversations c
    where c.id = any (${view.conversationIds}::uuid[]) and c.handler_alias is distinct from ${view.ownDesk}
    order by c.id
    on conflict (conversation_id, staff_id, what) do update set at = now()
    where v.at <= now() - interval '1 hour'
    returning v.conversation_id`;
}

type Export = { conversationId: string; staffId: string };

/** Records the start of an export. Returns false if this continues an export of the last hour. */
export function recordExportStart(db: Db, begun: Export & { after: number }): Promise<boolean> {
  return changed(db)`
    insert into conversation_views as v (conversation_id, staff_id, what)
    values (${begun.conversationId}, ${begun.staffId}, 'export')
    on conflict (conversation_id, staff_id, what) do update set at = now(), next = null
    where v.next is distinct from ${begun.after}::integer or v.at <= now() - interval '1 hour'`;
}

export function recordExportEnd(
  db: Db,
  { conversationId, staffId, next }: Export & { next: number | null },
): Promise<void> {
  return run(db)`
    update conversation_views set next = ${next}::integer
    where conversation_id = ${conversationId} and staff_id = ${staffId} and what = 'export'`;
}

/** Returns false if this key read the conversation within the last hour. */
export function recordKeyRead(db: Db, read: { conversationId: string; keyId: string }): Promise<boolean> {
  return changed(db)`
    insert into api_key_reads as r (conversation_id, key_id) values (${read.conversationId}, ${read.keyId})
    on conflict (conversation_id, key_id) do update set at = now() where r.at <= now() - interval '1 hour'`;
}
