import type { WebhookEvent } from '@settee/protocol/model/webhook';
import { type Sql, sql } from '../platform/db/query.ts';

/**
 * A statement that records an event for every endpoint that wants it. `source` has the columns invite_id and
 * conversation_id, and `happens` can limit its rows. Use it in the statement that changes the rows, so that no event is
 * lost and none is invented. append_messages records the events of messages.
 */
export function recordEvent(type: WebhookEvent, source: Sql, happens: Sql = sql`true`): Sql {
  return sql`
    insert into webhook_deliveries (endpoint_id, type, at, invite_id, conversation_id)
    select w.id, ${type}, clock_timestamp(), s.invite_id, s.conversation_id
    from ${source} s join webhook_endpoints w on w.state <> 'disabled' and ${type} = any (w.events)
    where ${happens}`;
}
