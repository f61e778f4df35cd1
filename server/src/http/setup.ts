import type { setupCalls } from '@settee/protocol/calls/setupCalls';
import { setUp } from '../actions/staff/setUp.ts';
import type { App } from '../app.ts';
import { readStaffCookie, setStaffCookie } from '../auth/staffCookie.ts';
import { isSetUp, readCounts, readFirstSteps } from '../db/engine/installation.ts';
import { addressKey } from './client.ts';
import { requireOwnOrigin } from './origin.ts';
import type { Routes } from './route.ts';

export function setupRoutes(app: App): Pick<Routes, keyof typeof setupCalls> {
  return {
    async readSetup() {
      return { needed: !(await isSetUp(app.db)) };
    },

    async setUp({ body, request, reply }) {
      requireOwnOrigin(app, request);
      const { secret } = await setUp(app, {
        ...body,
        address: addressKey(request.ip),
        replaces: readStaffCookie(app, request),
      });
      setStaffCookie(app, reply, secret);
    },

    async readFirstSteps() {
      return readFirstSteps(app.db.sql);
    },

    async readCounts() {
      return readCounts(app.db.sql);
    },
  };
}
