import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { isOnline } from '../platform/db/presenceLeases.ts';
import type { Routes } from '../platform/http/route.ts';
import { findPushToken } from './pushSubscriptions.store.ts';
import { dropPush, savePush, testPush } from './pushSubscriptions.ts';

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
