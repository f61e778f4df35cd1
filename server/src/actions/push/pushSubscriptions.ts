import { PUSH_DEVICES_MAX, type PushSubscription } from '@settee/protocol/model/push';
import { pushTexts } from '@settee/protocol/texts/pushTexts';
import type { App } from '../../app.ts';
import { allowPushTest } from '../../auth/rateLimits.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Caller } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { hasDevice } from '../../db/conversation/devices.ts';
import {
  dropOldPushSubscriptions,
  dropPushSubscription,
  findPushSubscription,
  hasPushSubscription,
  lockPushOwner,
  type PushOwner,
  prunePushSubscription,
  upsertPushSubscription,
} from '../../db/push/pushSubscriptions.ts';

/** Notifications for the caller go to this browser from now on, for as long as it says so again. */
export async function savePush(
  app: App,
  caller: Caller,
  { instead, ...subscription }: PushSubscription & { instead?: string | undefined },
): Promise<void> {
  if (app.push?.accepts(subscription) !== true) throw new Refusal('push_refused');
  const owner = await pushOwner(app, caller);
  await app.db.sql.transaction().execute(async (db) => {
    await lockPushOwner(db, owner);
    const known = await hasPushSubscription(db, owner, [subscription.endpoint, instead ?? '']);
    if (instead !== undefined && instead !== subscription.endpoint)
      await dropPushSubscription(db, owner, instead);
    if (!(await upsertPushSubscription(db, owner, subscription))) throw new Refusal('push_refused');
    await dropOldPushSubscriptions(db, owner, PUSH_DEVICES_MAX);
    // A browser says every few days that it is still there: that is nobody's doing.
    if (owner.kind === 'visitor' || known) return;
    await insertAudit(db, { actor: owner.staffId, action: 'push.enable', target: owner.staffId });
  });
}

/** Nothing is stored for a visitor who has claimed nothing, or for staff who sit at no desk. */
async function pushOwner(app: App, caller: Caller): Promise<PushOwner> {
  if (caller.kind === 'visitor') {
    if (!(await hasDevice(app.db.sql, caller))) throw new Refusal('access_denied', pushTexts.needsVisitor);
    return caller;
  }
  const { alias } = caller;
  if (alias === null) throw new Refusal('access_denied', pushTexts.needsAlias);
  return { ...caller, alias };
}

/** No notifications to this browser any more. What is not the caller's is left alone, and nobody learns of it. */
export async function dropPush(app: App, caller: Caller, endpoint: string): Promise<void> {
  await app.db.sql.transaction().execute(async (db) => {
    const dropped = await dropPushSubscription(db, caller, endpoint);
    if (!dropped || caller.kind === 'visitor') return;
    await insertAudit(db, { actor: caller.staffId, action: 'push.disable', target: caller.staffId });
  });
}

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
