import { DELETED_KEPT_DAYS } from '@settee/protocol/model/conversation';
import { MAIL_FIGURES_DAYS } from '@settee/protocol/model/mail';
import { WEBHOOK_KEPT_DAYS } from '@settee/protocol/model/webhook';
import { UNCONFIRMED } from '../mail/visitorMails.store.ts';
import { FENCED_DESK } from '../platform/db/fence.ts';
import { affected, column, type Db, exactMillis, raw, type Sql, sql } from '../platform/db/query.ts';

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
  visitor_mails: UNCONFIRMED,
  mail_figures: sql`day <= current_date - ${MAIL_FIGURES_DAYS}::int`,
  rate_limits: sql`expire < ${exactMillis("now() - interval '1 hour'")}`,
  // The last one, because it may take long.
  webhook_deliveries: sql`at < now() - make_interval(days => ${WEBHOOK_KEPT_DAYS}::integer)
    and (done or at < now() - make_interval(days => 2 * ${WEBHOOK_KEPT_DAYS}::integer))`,
} as const;

export type PurgeCounts = Record<keyof typeof ENDED, number>;

export async function purgeExpired(db: Db, batch = BATCH): Promise<PurgeCounts> {
  const purged = {} as PurgeCounts;
  for (const [name, ended] of Object.entries(ENDED) as [keyof PurgeCounts, Sql][]) {
    purged[name] = await purge(db, name, ended, batch);
  }
  for (const id of await deletedWebhooks(db)) {
    purged.webhook_deliveries += await purge(db, 'webhook_deliveries', sql`endpoint_id = ${id}`, batch);
  }
  return purged;
}

async function purge(db: Db, name: keyof PurgeCounts, ended: Sql, batch: number): Promise<number> {
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
  return total;
}

/** Those that still have deliveries. Jumps from endpoint to endpoint in the index. */
function deletedWebhooks(db: Db): Promise<string[]> {
  return column<string>(db)`
    with recursive known (id) as (
      (select endpoint_id from webhook_deliveries order by endpoint_id limit 1)
      union all
      select (
        select d.endpoint_id from webhook_deliveries d where d.endpoint_id > known.id order by d.endpoint_id limit 1
      ) from known where known.id is not null
    )
    select known.id from known
    where known.id is not null and not exists (select from webhook_endpoints w where w.id = known.id)`;
}
