import { PUSH_AFTER_MS } from '@settee/protocol/model/push';
import type * as real from '../../../../server/src/db/conversation/handOver.ts';
import { modelled } from '../modelDatabase.ts';
import { both } from '../state.ts';

export const lockConversationDesk: typeof real.lockConversationDesk = modelled(
  'lockConversationDesk',
  ({ conversations }, conversationId, alias) => {
    const at = conversations.get(conversationId)?.handlerAlias;
    return alias === null || alias === at ? at : undefined;
  },
);

export const moveToDesk: typeof real.moveToDesk = modelled(
  'moveToDesk',
  ({ conversations }, conversationId, alias) => {
    const { rev = 0, hiddenChanges = 0 } = conversations.get(conversationId) ?? {};
    conversations.update(conversationId, {
      handlerAlias: alias,
      markedUnread: true,
      snoozedUntil: null,
      snoozedSeq: null,
      rev: rev + 1,
      hiddenChanges: hiddenChanges + 1,
    });
  },
);

export const notifyNewDesk: typeof real.notifyNewDesk = modelled('notifyNewDesk', (state, conversationId) => {
  const found = state.conversations.get(conversationId);
  const unseen = state.messages
    .get(conversationId)
    ?.findLast(({ seq, fromOwner }) => !fromOwner && found !== undefined && seq > found.ownerSeen);
  if (found?.status !== 'open' || unseen === undefined) return;
  if (state.subscriptions.find(({ alias }) => alias === found.handlerAlias) === undefined) return;
  state.pushDue.set(both(conversationId, true), {
    conversationId,
    toOwner: true,
    seq: unseen.seq,
    dueAt: state.now() + PUSH_AFTER_MS,
    pushedAt: null,
  });
});
