import type { setupCalls } from '@settee/protocol/calls/setupCalls';
import { setUp } from '../actions/staff/setUp.ts';
import type { App } from '../app.ts';
import { readStaffCookie, setStaffCookie } from '../auth/staffCookie.ts';
import { isSetUp, readCounts, readFirstSteps } from '../db/engine/installation.ts';
import { addressKey } from './address.ts';
import { demandOwnOrigin } from './origin.ts';
import type { Routes } from './route.ts';

export function setupRoutes(app: App): Pick<Routes, keyof typeof setupCalls> {
  return {
    async readSetup() {
      return { success: true, needed: !(await isSetUp(app.db)) };
    },

    async setUp({ body, request, reply }) {
      demandOwnOrigin(app, request);
      const { secret } = await setUp(app, {
        ...body,
        address: addressKey(request.ip),
        replaces: readStaffCookie(app, request),
      });
      setStaffCookie(app, reply, secret);
      return { success: true };
    },

    async readFirstSteps() {
      return { success: true, ...(await readFirstSteps(app.db.sql)) };
    },

    async readCounts() {
      return { success: true, ...(await readCounts(app.db.sql)) };
    },
  };
}
