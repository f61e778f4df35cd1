import { searchDesk, searchMessages } from '../actions/search/search.ts';
import { SearchTurns } from '../actions/search/searchTurns.ts';
import type { App } from '../app.ts';
import type { Routes } from './route.ts';

/** For a search that a newer one of the same session overtook; its console no longer looks at the answer. */
const OVERTAKEN = { conversations: [], messages: [], complete: false };
const OVERTAKEN_MESSAGES = { messages: [], complete: false };

export function searchRoutes(app: App): Pick<Routes, 'search' | 'searchMessages'> {
  const turns = new SearchTurns();
  return {
    async search({ caller, query }) {
      const found = await turns.run(caller.sessionId, (turn) => searchDesk(app, caller, query.q, turn));
      return { success: true, ...(found ?? OVERTAKEN) };
    },
    async searchMessages({ caller, query }) {
      const found = await turns.run(caller.sessionId, (turn) => searchMessages(app, caller, query.q, turn));
      return { success: true, ...(found ?? OVERTAKEN_MESSAGES) };
    },
  };
}
