import { DELETED_KEPT_DAYS } from '@settee/protocol/model/conversation';
import type { Database } from './database.ts';

/** Rows at a time: one delete must neither hold locks for long nor run into the statement's timeout. */
const BATCH = 10_000;

/**
 * What no longer counts for anything, by table. Readers already pass over these rows; this gives the
 * room back. PostgreSQL's clock decides, but the ends of rate limits and
 * tickets are written by a gateway's clock, so those get an hour more: one that runs behind must not lose them.
 */
const ENDED = {
  staff_sessions: 'expires_at < now()',
  spent_tickets: "expires_at < now() - interval '1 hour'",
  presence: 'expires_at < now()',
  staff_presence: 'expires_at < now()',
  password_links: 'expires_at < now()',
  gateways: 'expires_at < now()',
  // Told again every week by a browser that is in use.
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
      // Asked again outside: a row that was renewed while we waited for its lock must stay.
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
