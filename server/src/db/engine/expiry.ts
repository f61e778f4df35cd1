import { DELETED_KEPT_DAYS } from '@settee/protocol/model/conversation';
import type { Database } from './database.ts';

/** Rows per delete: keeps locks short and avoids the statement timeout. */
const BATCH = 10_000;

/**
 * Expired rows by table. Readers already ignore them; this frees the space. Rate limits and tickets carry a gateway's
 * time, so they get one more hour in case its clock is behind.
 */
const ENDED = {
  staff_sessions: 'expires_at < now()',
  spent_tickets: "expires_at < now() - interval '1 hour'",
  presence: 'expires_at < now()',
  staff_presence: 'expires_at < now()',
  password_links: 'expires_at < now()',
  gateways: 'expires_at < now()',
  // An active browser renews it every week.
  push_subscriptions: "refreshed_at < now() - interval '60 days'",
  deleted_conversations: `deleted_at < now() - interval '${DELETED_KEPT_DAYS} days'`,
  rate_limits: "expire < extract(epoch from now() - interval '1 hour') * 1000",
} as const;

export type PurgeCounts = Record<keyof typeof ENDED, number>;

export async function purgeExpired(db: Database, batch = BATCH): Promise<PurgeCounts> {
  const purged: PurgeCounts = {
    staff_sessions: 0,
    spent_tickets: 0,
    presence: 0,
    staff_presence: 0,
    password_links: 0,
    gateways: 0,
    push_subscriptions: 0,
    deleted_conversations: 0,
    rate_limits: 0,
  };
  for (const [table, ended] of Object.entries(ENDED) as [keyof PurgeCounts, string][]) {
    let gone: number;
    do {
      // The condition is checked again outside of the subquery: a row renewed while we waited for its lock must stay.
      const { rowCount } = await db.pool.query(
        `delete from ${table} where ctid = any (array(select ctid from ${table} where ${ended} limit $1)) and ${ended}`,
        [batch],
      );
      gone = rowCount ?? 0;
      purged[table] += gone;
    } while (gone === batch);
  }
  return purged;
}
