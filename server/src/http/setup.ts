import type { setupCalls } from '@settee/protocol/setupCalls';
import type { App } from '../app.ts';
import { readCounts } from '../db/counts.ts';
import type { Routes } from './route.ts';

export function setupRoutes(app: App): Pick<Routes, keyof typeof setupCalls> {
  return {
    async readCounts() {
      return { success: true, ...(await readCounts(app.db.sql)) };
    },
  };
}
