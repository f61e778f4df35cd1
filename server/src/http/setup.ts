import { setUp } from '../actions/staff/setUp.ts';
import type { App } from '../app.ts';
import { readStaffCookie, setStaffCookie } from '../auth/staffCookie.ts';
import { isSetUp, readCounts, readFirstSteps } from '../db/engine/installation.ts';
import { addressKey } from './client.ts';
import { requireOwnOrigin } from './origin.ts';
import type { Routes } from './route.ts';

export function setupRoutes(app: App) {
  return {
    readSetup: async () => ({ needed: !(await isSetUp(app.db)) }),

    async setUp({ body, request, reply }) {
      requireOwnOrigin(app, request);
      const { secret } = await setUp(app, {
        ...body,
        address: addressKey(request.ip),
        replaces: readStaffCookie(app, request),
      });
      setStaffCookie(app, reply, secret);
    },

    readFirstSteps: () => readFirstSteps(app.db.sql),

    readCounts: () => readCounts(app.db.sql),
  } satisfies Partial<Routes>;
}
