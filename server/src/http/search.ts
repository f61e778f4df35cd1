import { searchDesk } from '../actions/searchDesk.ts';
import type { App } from '../app.ts';
import type { Routes } from './route.ts';

export function searchRoutes(app: App): Pick<Routes, 'search'> {
  return {
    async search({ caller, query }) {
      return { success: true, ...(await searchDesk(app, caller, query.q)) };
    },
  };
}
