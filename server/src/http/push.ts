import { dropPush, savePush, testPush } from '../actions/push/pushSubscriptions.ts';
import type { App } from '../app.ts';
import type { Routes } from './route.ts';

export function pushRoutes(app: App) {
  return {
    readPushKey: async () => ({ publicKey: app.push?.publicKey ?? null }),
    savePush: ({ caller, body }) => savePush(app, caller, body),
    dropPush: ({ caller, body: { endpoint } }) => dropPush(app, caller, endpoint),
    testPush: ({ caller, body: { endpoint } }) => testPush(app, caller, endpoint),
  } satisfies Partial<Routes>;
}
