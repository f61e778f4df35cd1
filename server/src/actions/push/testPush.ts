import { pushTexts } from '@settee/protocol/texts/pushTexts';
import type { App } from '../../app.ts';
import { allowPushTest } from '../../auth/rateLimits.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Caller } from '../../caller.ts';
import { findPushSubscription, prunePushSubscription } from '../../db/push/pushSubscriptions.ts';

/** Long enough for a phone in a lift; nobody wants to read it an hour later. */
const TTL_SECONDS = 60;

/** Sends a notification to the caller's own browser, now and without a job: the answer says whether it went out. */
export async function testPush(app: App, caller: Caller, endpoint: string): Promise<void> {
  const subscription = await findPushSubscription(app.db.sql, caller, endpoint);
  if (app.push === undefined || subscription === undefined) throw new Refusal('push_refused');
  await allowPushTest(app, caller.kind === 'visitor' ? caller.visitorId : caller.staffId);
  const to = caller.kind === 'visitor' ? 'visitor' : 'staff';
  const outcome = await app.push.send(
    subscription,
    { kind: 'test', to, title: pushTexts.testTitle },
    { topic: 'test', ttlSeconds: TTL_SECONDS },
  );
  app.metrics.push(outcome === 'sent' || outcome === 'gone' ? outcome : 'given_up');
  if (outcome === 'sent') return;
  if (outcome === 'gone') {
    await prunePushSubscription(app.db.sql, subscription);
    throw new Refusal('push_refused');
  }
  app.log.warn({ reason: outcome.failed }, 'test notification failed');
  throw new Refusal('unavailable');
}
