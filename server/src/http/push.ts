import { dropPush, savePush, testPush } from '../actions/push/pushSubscriptions.ts';
import type { App } from '../app.ts';
import type { Routes } from './route.ts';

type PushRoutes = Pick<Routes, 'readPushKey' | 'savePush' | 'dropPush' | 'testPush'>;

export function pushRoutes(app: App): PushRoutes {
  return {
    async readPushKey() {
      return { publicKey: app.push?.publicKey ?? null };
    },
    async savePush({ caller, body }) {
      await savePush(app, caller, body);
    },
    async dropPush({ caller, body: { endpoint } }) {
      await dropPush(app, caller, endpoint);
    },
    async testPush({ caller, body: { endpoint } }) {
      await testPush(app, caller, endpoint);
    },
  };
}
