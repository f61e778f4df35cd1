import {
  WEBHOOK_OVERLAP_HOURS,
  type Webhook,
  type WebhookChange,
  type WebhookDraft,
} from '@settee/protocol/model/webhook';
import { changed, type Db, first, millis, one, rows, run, sql, value } from '../platform/db/query.ts';

const COLUMNS = sql`w.id, w.url, w.events, w.with_text as "withText", w.state,
  ${millis('w.created_at')} as "createdAt", ${millis('w.failing_since')} as "failingSince",
  case when w.previous_until > now() then ${millis('w.previous_until')} end as "previousSecretUntil"`;

export function listWebhooks(db: Db): Promise<Webhook[]> {
  return rows<Webhook>(db)`select ${COLUMNS} from webhook_endpoints w order by w.created_at desc, w.id`;
}

/** Locks the list against other new endpoints until the commit. */
export async function countWebhooks(db: Db): Promise<number> {
  await run(db)`select pg_advisory_xact_lock(hashtextextended('webhooks', 0))`;
  return (await value<number>(db)`select count(*)::integer from webhook_endpoints`) ?? 0;
}

export function insertWebhook(
  db: Db,
  { id, url, events, withText, secret }: WebhookDraft & { id: string; secret: Buffer },
): Promise<Webhook> {
  return one<Webhook>(db)`
    with w as (
      insert into webhook_endpoints (id, url, events, with_text, secret)
      values (${id}, ${url}, ${events}::text[], ${withText}, ${secret}) returning *
    )
    select ${COLUMNS} from w`;
}

/** Undefined if there is none. */
export function findWebhook(db: Db, id: string): Promise<Webhook | undefined> {
  return first<Webhook>(db)`select ${COLUMNS} from webhook_endpoints w where w.id = ${id}`;
}

/** The same, and locks it until the commit. */
export function lockWebhook(db: Db, id: string): Promise<Webhook | undefined> {
  return first<Webhook>(db)`select ${COLUMNS} from webhook_endpoints w where w.id = ${id} for no key update`;
}

export function findSecret(db: Db, id: string): Promise<Buffer | undefined> {
  return value<Buffer>(db)`select secret from webhook_endpoints where id = ${id}`;
}

/** An address that changes, or an endpoint that resumes, starts without failures. */
export function updateWebhook(db: Db, id: string, change: WebhookChange): Promise<void> {
  const { url = null, events = null, withText = null, state = null } = change;
  const again = sql`(${state === 'active'} or coalesce(${url} <> url, false))`;
  return run(db)`
    update webhook_endpoints set url = coalesce(${url}, url), events = coalesce(${events}::text[], events),
      with_text = coalesce(${withText}::boolean, with_text), state = coalesce(${state}, state),
      failing_since = case when not ${again} then failing_since end,
      retry_at = case when not ${again} then retry_at end
    where id = ${id}`;
}

/** Returns until when the previous secret signs too. */
export async function rotateSecret(db: Db, id: string, secret: Buffer): Promise<Date> {
  const { until } = await one<{ until: Date }>(db)`
    update webhook_endpoints set previous_secret = secret, secret = ${secret},
      previous_until = now() + make_interval(hours => ${WEBHOOK_OVERLAP_HOURS})
    where id = ${id} returning previous_until as until`;
  return until;
}

/** purgeExpired deletes its deliveries: there may be millions. */
export function deleteWebhook(db: Db, id: string): Promise<boolean> {
  return changed(db)`delete from webhook_endpoints where id = ${id}`;
}

type SealedSecrets = { id: string; secret: Buffer; previousSecret: Buffer | null };

export function listSealedSecrets(db: Db): Promise<SealedSecrets[]> {
  return rows<SealedSecrets>(db)`
    select id, secret, previous_secret as "previousSecret" from webhook_endpoints for no key update`;
}

export function resealSecrets(db: Db, { id, secret, previousSecret }: SealedSecrets): Promise<void> {
  return run(db)`
    update webhook_endpoints set secret = ${secret}, previous_secret = ${previousSecret} where id = ${id}`;
}

/** When SECRET is lost, nothing can open their secrets. With a new one, they can resume, and get their events. */
export function pauseWebhooks(db: Db): Promise<void> {
  return run(db)`
    update webhook_endpoints set previous_secret = null, previous_until = null,
      state = case when state = 'disabled' then state else 'paused' end`;
}
