import type { App } from '../platform/app.ts';
import type { Routes } from '../platform/http/route.ts';
import { searchDesk, searchMessages } from './search.ts';
import { SearchQueue } from './searchQueue.ts';

/** For a search that a newer one of the same session replaced. The console ignores this answer. */
const REPLACED_SEARCH = { conversations: [], messages: [], complete: false };

export function searchRoutes(app: App) {
  const searches = new SearchQueue();
  return {
    async search({ caller, query }) {
      const found = await searches.run(caller.sessionId, (turn) => searchDesk(app, caller, query.q, turn));
      return found ?? REPLACED_SEARCH;
    },
    async searchMessages({ caller, query }) {
      const found = await searches.run(caller.sessionId, (turn) => searchMessages(app, caller, query, turn));
      return found ?? { messages: [], complete: false };
    },
  } satisfies Partial<Routes>;
}
