import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * Notes that an administrator looks into a conversation that is not at their own desk, or takes it along. True when that
 * is news: it was not noted within the hour, or `always`.
 */
export async function noteView(
  db: Kysely<Tables>,
  view: {
    conversationId: string;
    staffId: string;
    ownDesk: string | null;
    what: 'view' | 'export';
    always?: boolean;
  },
): Promise<boolean> {
  const { rows } = await sql`
    insert into conversation_views as v (conversation_id, staff_id, what)
    select c.id, ${view.staffId}, ${view.what} from conversations c
    where c.id = ${view.conversationId} and c.handler_alias is distinct from ${view.ownDesk}
    on conflict (conversation_id, staff_id, what) do update set at = now()
    where ${view.always ?? false} or v.at <= now() - interval '1 hour'
    returning true`.execute(db);
  return rows.length > 0;
}
