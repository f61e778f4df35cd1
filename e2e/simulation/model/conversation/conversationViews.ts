import type * as real from '../../../../server/src/db/conversation/conversationViews.ts';
import { modelled } from '../modelDatabase.ts';
import { both } from '../state.ts';

export * from '../../../../server/src/db/conversation/conversationViews.ts';

const HOUR_MS = 3_600_000;

export const recordNewViews: typeof real.recordNewViews = modelled(
  'recordNewViews',
  (state, { conversationIds, staffId, ownDesk }) => {
    const recorded = [...new Set(conversationIds)].sort().filter((id) => {
      const found = state.conversations.get(id);
      const view = state.views.get(both(id, staffId));
      if (found === undefined || found.handlerAlias === ownDesk) return false;
      return view === undefined || view.at <= state.now() - HOUR_MS;
    });
    for (const conversationId of recorded)
      state.views.set(both(conversationId, staffId), { conversationId, at: state.now() });
    return recorded;
  },
);
