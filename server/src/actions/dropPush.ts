import type { App } from '../app.ts';
import type { Caller } from '../caller.ts';
import { dropPushSubscription } from '../db/pushSubscriptions.ts';

/** No notifications to this browser any more. What is not the caller's is left alone, and nobody learns of it. */
export async function dropPush(app: App, caller: Caller, endpoint: string): Promise<void> {
  await dropPushSubscription(app.db.sql, caller, endpoint);
}
