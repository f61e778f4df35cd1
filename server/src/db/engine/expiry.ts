import { DELETED_KEPT_DAYS } from '@settee/protocol/model/conversation';
import { FENCED_DESK } from '../cells/fence.ts';
import { affected, type Db, raw, type Sql, sql } from './query.ts';

/** Rows per delete: keeps locks short and avoids the statement timeout. */
const BATCH = 10_000;

/**
 * Expired rows by table. Readers already ignore them; this frees the space. Rate limits and tickets carry a gateway's
 * time, so they get one more hour in case its clock is behind.
 */
const ENDED = {
  staff_sessions: sql`expires_at < now()
    and not exists (select from staff s where s.id = staff_id and s.alias = ${FENCED_DESK})`,
  spent_tickets: sql`expires_at < now() - interval '1 hour'`,
  presence: sql`expires_at < now()`,
  staff_presence: sql`expires_at < now()`,
  password_links: sql`expires_at < now()`,
  gateways: sql`expires_at < now()`,
  // An active browser renews it every week.
  push_subscriptions: sql`refreshed_at < now() - interval '60 days'`,
  deleted_conversations: sql`deleted_at < now() - make_interval(days => ${DELETED_KEPT_DAYS})`,
  rate_limits: sql`expire < extract(epoch from now() - interval '1 hour') * 1000`,
} as const;

export type PurgeCounts = Record<keyof typeof ENDED, number>;

export async function purgeExpired(db: Db, batch = BATCH): Promise<PurgeCounts> {
  const purged: Partial<PurgeCounts> = {};
  for (const [name, ended] of Object.entries(ENDED) as [keyof PurgeCounts, Sql][]) {
    const table = raw(name);
    let total = 0;
    let gone: number;
    do {
      // The condition is checked again outside of the subquery: a row renewed while we waited for its lock must stay.
      gone = await affected(db)`
        delete from ${table}
        where ctid = any (array(select ctid from ${table} where ${ended} limit ${batch})) and ${ended}`;
      total += gone;
    } while (gone === batch);
    purged[name] = total;
  }
  return purged as PurgeCounts;
}
