import type { App } from '../../app.ts';
import type { Caller } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { dropPushSubscription } from '../../db/push/pushSubscriptions.ts';

/** No notifications to this browser any more. What is not the caller's is left alone, and nobody learns of it. */
export async function dropPush(app: App, caller: Caller, endpoint: string): Promise<void> {
  await app.db.sql.transaction().execute(async (db) => {
    const dropped = await dropPushSubscription(db, caller, endpoint);
    if (!dropped || caller.kind === 'visitor') return;
    await insertAudit(db, { actor: caller.staffId, action: 'push.disable', target: caller.staffId });
  });
}
