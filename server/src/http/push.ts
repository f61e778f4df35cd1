import { dropPush, savePush, testPush } from '../actions/push/pushSubscriptions.ts';
import type { App } from '../app.ts';
import { Refusal } from '../auth/refusal.ts';
import { findPushToken } from '../db/push/pushSubscriptions.ts';
import { isOnline } from '../db/staff/presence.ts';
import type { Routes } from './route.ts';

export function pushRoutes(app: App) {
  return {
    readPushKey: async () => ({ publicKey: app.push?.publicKey ?? null }),
    savePush: ({ caller, body }) => savePush(app, caller, body),
    dropPush: ({ caller, body: { endpoint } }) => dropPush(app, caller, endpoint),
    testPush: ({ caller, body: { endpoint } }) => testPush(app, caller, endpoint),
    async readHandler({ caller }) {
      const { alias } = caller;
      if (alias === null) throw new Refusal('not_found');
      const [fcmToken, online] = await Promise.all([
        findPushToken(app.db, { ...caller, alias }),
        isOnline(app.db, alias),
      ]);
      return { handler: { alias, fcmToken, online } };
    },
  } satisfies Partial<Routes>;
}
