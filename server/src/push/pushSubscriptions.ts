import { PUSH_DEVICES_MAX, type PushSubscription } from '@settee/protocol/model/push';
import { pushTexts } from '@settee/protocol/texts/pushTexts';
import { hasDevice } from '../access/access.store.ts';
import type { App } from '../platform/app.ts';
import { allow } from '../platform/auth/rateLimits.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { audited } from '../platform/db/audited.ts';
import { authorIdOf, type Caller } from '../platform/ports/caller.ts';
import {
  dropOldPushSubscriptions,
  dropPushSubscription,
  findPushSubscription,
  hasPushSubscription,
  lockPushOwner,
  type PushOwner,
  prunePushSubscription,
  upsertPushSubscription,
} from './pushSubscriptions.store.ts';

/** Sends the caller's notifications to this browser from now on. */
export async function savePush(
  app: App,
  caller: Caller,
  { instead, ...subscription }: PushSubscription & { instead?: string | undefined },
): Promise<void> {
  if (app.push?.accepts(subscription) !== true) throw new Refusal('push_refused');
  const owner = await pushOwner(app, caller);
  await audited(app, caller, async (db, record) => {
    await lockPushOwner(db, owner);
    const known = await hasPushSubscription(db, owner, [subscription.endpoint, instead ?? '']);
    if (instead !== undefined && instead !== subscription.endpoint)
      await dropPushSubscription(db, owner, instead);
    if (!(await upsertPushSubscription(db, owner, subscription))) throw new Refusal('push_refused');
    await dropOldPushSubscriptions(db, owner, PUSH_DEVICES_MAX);
    // Browsers renew their subscription every few days. That is not worth an audit entry.
    if (owner.kind === 'staff' && !known) record('push.enable', owner.staffId);
  });
}

/** Stores nothing for a visitor without a device, or for staff without a desk. */
async function pushOwner(app: App, caller: Caller): Promise<PushOwner> {
  if (caller.kind === 'visitor') {
    if (!(await hasDevice(app.db, caller))) throw new Refusal('access_denied', pushTexts.needsVisitor);
    return caller;
  }
  const { alias } = caller;
  if (alias === null) throw new Refusal('access_denied', pushTexts.needsAlias);
  return { ...caller, alias };
}

/** Stops notifications to this browser. Silently ignores a subscription of someone else. */
export async function dropPush(app: App, caller: Caller, endpoint: string): Promise<void> {
  await audited(app, caller, async (db, record) => {
    const dropped = await dropPushSubscription(db, caller, endpoint);
    if (dropped && caller.kind === 'staff') record('push.disable', caller.staffId);
  });
}

/** Long enough for a phone that is briefly offline. */
const TTL_SECONDS = 60;

/** Sends a test notification at once, without a job, so that the answer shows whether it worked. */
export async function testPush(app: App, caller: Caller, endpoint: string): Promise<void> {
  const subscription = await findPushSubscription(app.db, caller, endpoint);
  if (app.push === undefined || subscription === undefined) throw new Refusal('push_refused');
  await allow(app, 'pushTests', authorIdOf(caller));
  const to = caller.kind === 'visitor' ? 'visitor' : 'staff';
  const outcome = await app.push.send(
    subscription,
    { kind: 'test', to, title: pushTexts.testTitle },
    { topic: 'test', ttlSeconds: TTL_SECONDS },
  );
  app.metrics.push(outcome === 'sent' || outcome === 'gone' ? outcome : 'given_up');
  if (outcome === 'sent') return;
  if (outcome === 'gone') {
    await prunePushSubscription(app.db, subscription);
    throw new Refusal('push_refused');
  }
  app.log.warn({ reason: outcome.failed }, 'test notification failed');
  throw new Refusal('unavailable');
}
