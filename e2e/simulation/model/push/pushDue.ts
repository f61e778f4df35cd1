import { PUSH_APART_MS } from '@settee/protocol/model/push';
import type * as real from '../../../../server/src/db/push/pushDue.ts';
import { modelled } from '../modelDatabase.ts';
import { both } from '../state.ts';

export * from '../../../../server/src/db/push/pushDue.ts';

export const recordPushed: typeof real.recordPushed = modelled(
  'recordPushed',
  (state, { conversationId }, toOwner) => {
    const key = both(conversationId, toOwner);
    const dueAt = state.pushDue.get(key)?.dueAt ?? null;
    const pushedAt = state.now();
    state.pushDue.update(key, {
      pushedAt,
      dueAt: dueAt === null ? null : Math.max(dueAt, pushedAt + PUSH_APART_MS),
    });
  },
);
