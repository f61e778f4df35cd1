import { seconds, sql } from '../platform/db/query.ts';

/**
 * How long the oldest due event has waited for its next attempt. Only of active endpoints: those of others wait on
 * purpose. By the index that workers use.
 */
export const WEBHOOK_LAG = sql`
  select coalesce(${seconds('now() - min(d.due_at)')}, 0) as "webhookLagSeconds"
  from webhook_endpoints w cross join lateral (
    select due_at from webhook_deliveries where endpoint_id = w.id and not done order by due_at limit 1
  ) d
  where w.state = 'active' and d.due_at <= now()`;
