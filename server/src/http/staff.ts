import type { App } from '../app.ts';
import { Refusal } from '../auth/refusal.ts';
import { readQueue } from '../db/conversation/queue.ts';
import { findPushToken } from '../db/push/pushSubscriptions.ts';
import { isOnline } from '../db/staff/presence.ts';
import type { Routes } from './route.ts';

export function staffRoutes(app: App): Pick<Routes, 'readQueue' | 'readHandler'> {
  return {
    async readQueue({ caller }) {
      return { success: true, rows: caller.alias === null ? [] : await readQueue(app.db, caller.alias) };
    },
    async readHandler({ caller }) {
      const { alias } = caller;
      if (alias === null) throw new Refusal('not_found');
      const [fcmToken, online] = await Promise.all([
        findPushToken(app.db, { ...caller, alias }),
        isOnline(app.db, alias),
      ]);
      return { success: true, handler: { alias, fcmToken, online } };
    },
  };
}
