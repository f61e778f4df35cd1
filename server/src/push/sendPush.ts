import { createHash } from 'node:crypto';
import type { PushPayload } from '@settee/protocol/model/push';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import * as v from 'valibot';
import type { SecondFactorPolicy } from '../platform/config/config.ts';
import type { Database } from '../platform/db/database.ts';
import type { Log } from '../platform/log/log.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import { noopMetrics } from '../platform/metrics/noopMetrics.ts';
import type { Clock, PushFailure, PushSender } from '../platform/ports/ports.ts';
import { findPushTarget, PushJob, type PushTarget, recordPushed, reschedulePush } from './pushDue.store.ts';
import { prunePushSubscription, recordPushRefusal, recordPushSuccess } from './pushSubscriptions.store.ts';

const TTL_SECONDS = 24 * 3_600;

/** Our own backoff, because graphile-worker's grows to six hours. */
const FIRST_DELAY_SECONDS = 2;
const MAX_DELAY_SECONDS = 300;
/** Maximum delay that a push service may request. */
const RETRY_AFTER_MAX_SECONDS = 15 * 60;
const GIVE_UP_MS = 24 * 3_600_000;
/** A permanent refusal (wrong key, bad request) may be our temporary mistake, so it is retried a few times. */
const REFUSED_TRIES_MAX = 5;

type Parts = {
  db: Database;
  secondFactor: SecondFactorPolicy;
  push: PushSender;
  clock: Clock;
  log: Log;
  metrics?: Metrics;
};

/**
 * Sends one notification, if it is still due. At least once: a process that dies before the job is done sends it
 * again, but topic and tag merge both.
 */
export async function sendPush(parts: Parts, jobId: string, payload: unknown): Promise<void> {
  const { db, secondFactor, push, clock, log, metrics = noopMetrics } = parts;
  const job = v.parse(PushJob, payload);
  const target = await findPushTarget(db, secondFactor, job);
  if (target === undefined) return;
  const outcome = await push.send(target, payloadOf(job, target), {
    topic: topicOf(job),
    ttlSeconds: TTL_SECONDS,
  });
  if (outcome === 'sent') {
    metrics.push('sent');
    await recordPushed(db, job, target.toOwner);
    return recordPushSuccess(db, target);
  }
  if (outcome === 'gone') {
    metrics.push('gone');
    return prunePushSubscription(db, target);
  }

  const since = job.since ?? clock.now();
  const tries = (job.tries ?? 0) + 1;
  const { host } = new URL(target.endpoint);
  const refused = outcome.refused && tries >= REFUSED_TRIES_MAX;
  const givesUp = refused || clock.now() - since >= GIVE_UP_MS;
  log.warn({ reason: outcome.failed, host, tries, givesUp }, 'notification not sent');
  metrics.push(givesUp ? 'given_up' : 'retried');
  if (refused) await recordPushRefusal(db, target);
  if (givesUp) return;
  const seconds = retryDelay(tries, outcome);
  await reschedulePush(db, { jobId, job: { ...job, since, tries }, toOwner: target.toOwner, seconds });
}

/** Never contains message text; for a visitor only the profile's name. */
function payloadOf({ conversationId, seq }: PushJob, target: PushTarget): PushPayload {
  const { profileName, severalProfiles } = target;
  const visitor = visitorNameOrLabel(target);
  const title = severalProfiles ? `${visitor} · ${profileName}` : visitor;
  return target.toOwner
    ? { kind: 'message', to: 'staff', conversationId, seq, title }
    : { kind: 'message', to: 'visitor', conversationId, seq, title: profileName };
}

/** Different per device, so that a push service cannot see who talks to whom. */
function topicOf({ subscriptionId, conversationId }: PushJob): string {
  return createHash('sha256').update(`${subscriptionId} ${conversationId}`).digest('base64url').slice(0, 32);
}

function retryDelay(tries: number, { retryAfterSeconds = 0 }: PushFailure): number {
  const own = Math.min(FIRST_DELAY_SECONDS * 2 ** (tries - 1), MAX_DELAY_SECONDS);
  return Math.max(own, Math.min(retryAfterSeconds, RETRY_AFTER_MAX_SECONDS));
}
