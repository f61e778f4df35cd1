import {
  DELIVERIES_PAGE,
  WEBHOOK_DISABLE_DAYS,
  type WebhookDelivery,
  type WebhookEvent,
} from '@settee/protocol/model/webhook';
import type { Database } from '../platform/db/database.ts';
import { changed, column, type Db, millis, rows, run, sql } from '../platform/db/query.ts';

/** Rows that one step locks and looks at. */
const LOOKED_AT = 200;

/** The end of the earlier delivery makes the next one due. If the worker dies in that moment, this time does. */
const PUT_OFF_SECONDS = 300;

/** A worker that dies leaves its deliveries to others after this time. Longer than a request may take. */
export const LEASE_SECONDS = 30;

/** No attempt for longer than this ends a time of failure. Longer than the time between two attempts. */
const GAP_HOURS = 12;

/** It can get a request now. */
const READY = sql`state = 'active' and coalesce(retry_at <= now(), true)`;

export type DueEndpoint = {
  endpointId: string;
  url: string;
  secret: Buffer;
  /** Null after its end. */
  previousSecret: Buffer | null;
};

const ENDPOINT = sql`w.url, w.secret,
  case when w.previous_until > now() then w.previous_secret end as "previousSecret"`;

/** Active endpoints with a delivery to try now. */
export function findDueEndpoints(db: Db): Promise<DueEndpoint[]> {
  return rows<DueEndpoint>(db, 'webhooks-due')`
    select w.id as "endpointId", ${ENDPOINT} from webhook_endpoints w
    where ${READY} and exists (
      select from webhook_deliveries d where d.endpoint_id = w.id and not d.done and d.due_at <= now()
    )`;
}

export type DueDelivery = DueEndpoint & {
  position: string;
  id: string;
  type: WebhookEvent;
  at: Date;
  inviteId: string;
  conversationId: string | null;
  seq: number | null;
  messageId: string | null;
  fromOwner: boolean | null;
  image: boolean | null;
  attempts: number;
  /** An administrator sent it again after its end. */
  resent: boolean;
  /** The endpoint accepted another event since the first attempt. */
  recovered: boolean;
  /** Null if the endpoint does not want it, or the message is gone. */
  text: string | null;
};

/**
 * Takes deliveries of an endpoint, each the first one of its invite that is not done, and leases them. An endpoint that
 * fails gets one at a time, after its pause: the worker leases the endpoint too. Deliveries that wait for an earlier one
 * are put off until that one is done, so that each is read once, however long the queue is. `more`: another step may find others.
 *
 * Three statements: each sees what others committed before it. They never wait for a lock, so there is no deadlock.
 */
export function takeDue(
  db: Database,
  endpointId: string,
  atOnce: number,
): Promise<{ taken: DueDelivery[]; more: boolean }> {
  return db.transaction(async (step) => {
    const locked = await column<string>(step)`
      select d.position from webhook_deliveries d
      where d.endpoint_id = ${endpointId} and not d.done and d.due_at <= now()
      order by d.due_at, d.position limit ${LOOKED_AT} for update skip locked`;
    if (locked.length === 0) return { taken: [], more: false };
    const earlier = sql`select b.due_at from webhook_deliveries b
      where b.endpoint_id = d.endpoint_id and b.invite_id = d.invite_id and not b.done and b.position < d.position
      order by b.position limit 1`;
    const taken = await rows<DueDelivery>(step)`
      with w as (
        select * from webhook_endpoints where id = ${endpointId} and ${READY}
      ), free as (
        select d.position from webhook_deliveries d cross join w
        where d.endpoint_id = ${endpointId} and d.position = any (${locked}::bigint[]) and not exists (${earlier})
        order by d.position limit (select case when failing_since is null then ${atOnce}::integer else 1 end from w)
      ), claimed as (
        update webhook_endpoints
        set retry_at = now() + make_interval(secs => ${LEASE_SECONDS}), failing_since =
          case when retry_at > now() - make_interval(hours => ${GAP_HOURS}) then failing_since else now() end
        where id = (
          select id from webhook_endpoints
          where id = ${endpointId} and failing_since is not null and ${READY} and exists (select from free)
          for no key update skip locked
        ) returning id
      ), taken as (
        update webhook_deliveries d
        set due_at = now() + make_interval(secs => ${LEASE_SECONDS}), attempts = d.attempts + 1, tried_at = now(),
          first_tried_at = coalesce(d.first_tried_at, now())
        from free
        where d.endpoint_id = ${endpointId} and d.position = free.position
          and ((select failing_since is null from w) or exists (select from claimed))
        returning d.*
      )
      select d.endpoint_id as "endpointId", d.position, d.id, d.type, d.at, d.invite_id as "inviteId",
        d.conversation_id as "conversationId", d.seq, d.message_id as "messageId", d.from_owner as "fromOwner",
        d.image, d.attempts, d.resent, coalesce(w.recovered_at > d.first_tried_at, false) as recovered,
        ${ENDPOINT}, m.text
      from taken d cross join w
      left join messages m on w.with_text and d.type = 'message.stored'
        and m.conversation_id = d.conversation_id and m.seq = d.seq
      order by d.position`;
    // Materialized, so that the earlier one is looked up once for each row.
    const putOff = await changed(step)`
      with h as materialized (
        select d.position, (${earlier}) as due_at from webhook_deliveries d
        where d.endpoint_id = ${endpointId} and d.position = any (${locked}::bigint[])
      )
      update webhook_deliveries d
      set due_at = greatest(h.due_at, now() + make_interval(secs => ${PUT_OFF_SECONDS}))
      from h
      where d.endpoint_id = ${endpointId} and d.position = h.position and h.due_at is not null`;
    return { taken, more: putOff || taken.length > 0 };
  });
}

type Attempt = { status: number | null; problem: string | null; tookMs: number };
type Tried = Pick<DueDelivery, 'endpointId' | 'position' | 'inviteId'>;

function finish({ endpointId, position }: Tried, attempt: Attempt, delivered: boolean) {
  const { status, problem, tookMs } = attempt;
  return sql`
    finished as (
      update webhook_deliveries
      set done = true, delivered_at = case when ${delivered} then now() end, status = ${status}::integer,
        problem = ${problem}::text, took_ms = ${tookMs}::integer
      -- A worker whose lease ran out must not turn what another one delivered into a failure.
      where endpoint_id = ${endpointId} and position = ${position} and (${delivered} or not done)
    )`;
}

/**
 * The next one of the invite is due. Call it after the commit of what finished the delivery: otherwise a worker that does
 * not see the end yet could put off the next one, and an erasure, which locks both, could deadlock with it.
 */
function wakeNext(db: Database, { endpointId, position, inviteId }: Tried): Promise<void> {
  return run(db)`
    update webhook_deliveries n set due_at = now()
    where n.endpoint_id = ${endpointId} and not n.done and n.position = (
      select min(d.position) from webhook_deliveries d
      where d.endpoint_id = ${endpointId} and d.invite_id = ${inviteId} and not d.done and d.position > ${position}
    )`;
}

export async function recordDelivered(db: Database, tried: Tried, attempt: Attempt): Promise<void> {
  await run(db)`
    with ${finish(tried, attempt, true)}
    update webhook_endpoints set failing_since = null, retry_at = null, recovered_at = now()
    where id = ${tried.endpointId} and failing_since is not null`;
  await wakeNext(db, tried);
}

/** So that receivers do not get all attempts at once. Never earlier than a receiver asked. */
const JITTER = sql`(1 + 0.2 * random())`;

/**
 * Another attempt after `retrySeconds`; null gives up. Meanwhile the endpoint gets a pause, a quarter of the time for
 * which it has failed: at least a second, at most a minute, but not less than it asked for.
 */
export async function recordFailed(
  db: Database,
  tried: Tried,
  attempt: Attempt & { retrySeconds: number | null; askedSeconds: number },
): Promise<void> {
  const { status, problem, tookMs, retrySeconds, askedSeconds } = attempt;
  const ended =
    retrySeconds === null
      ? finish(tried, attempt, false)
      : sql`
        again as (
          update webhook_deliveries
          set due_at = now() + ${JITTER} * make_interval(secs => ${retrySeconds}), status = ${status}::integer,
            problem = ${problem}::text, took_ms = ${tookMs}::integer
          where endpoint_id = ${tried.endpointId} and position = ${tried.position} and not done
        )`;
  await run(db)`
    with ${ended}
    update webhook_endpoints
    set failing_since = coalesce(failing_since, now()), retry_at = now() + ${JITTER} * greatest(
        interval '1 second', make_interval(secs => ${askedSeconds}),
        least(interval '1 minute', (now() - coalesce(failing_since, now())) / 4)
      )
    where id = ${tried.endpointId}`;
  if (retrySeconds === null) await wakeNext(db, tried);
}

/** True if it was active, and has failed for days or is `gone`. */
export function disableFailing(db: Db, endpointId: string, gone: boolean): Promise<boolean> {
  return changed(db)`
    update webhook_endpoints set state = 'disabled'
    where id = ${endpointId} and state = 'active'
      and (${gone} or failing_since < now() - make_interval(days => ${WEBHOOK_DISABLE_DAYS}))`;
}

const STATES = {
  waiting: sql`not d.done`,
  delivered: sql`d.done and d.delivered_at is not null`,
  failed: sql`d.done and d.delivered_at is null`,
} as const;

export async function listDeliveries(
  db: Db,
  endpointId: string,
  { show, before }: { show?: keyof typeof STATES | undefined; before?: number | undefined },
): Promise<{ deliveries: WebhookDelivery[]; next: number | null }> {
  const found = await rows<WebhookDelivery>(db)`
    select d.id, d.position::float8 as position, d.type, ${millis('d.at')} as at,
      d.conversation_id as "conversationId", d.invite_id as "inviteId",
      case when ${STATES.waiting} then 'waiting' when ${STATES.delivered} then 'delivered' else 'failed' end as state,
      d.attempts, ${millis('d.tried_at')} as "triedAt", d.status, d.problem,
      d.took_ms as "tookMs",
      case when not d.done then ${millis('d.due_at')} end as "nextAt"
    from webhook_deliveries d
    where d.endpoint_id = ${endpointId} and (${before ?? null}::bigint is null or d.position < ${before ?? null})
      and ${show === undefined ? sql`true` : STATES[show]}
    order by d.position desc limit ${DELIVERIES_PAGE + 1}`;
  const deliveries = found.slice(0, DELIVERIES_PAGE);
  const last = found.length > DELIVERIES_PAGE ? deliveries.at(-1) : undefined;
  return { deliveries, next: last?.position ?? null };
}

/** False if there is none. One that was done gets a single attempt, so that it does not hold back later events. */
export function resendDelivery(db: Db, endpointId: string, position: number): Promise<boolean> {
  return changed(db)`
    update webhook_deliveries set resent = resent or done, done = false, delivered_at = null, due_at = now()
    where endpoint_id = ${endpointId} and position = ${position}`;
}
