import type * as real from '../../../../server/src/db/conversation/erasure.ts';
import { modelled } from '../modelDatabase.ts';
import { both, type State } from '../state.ts';
import { detachedOf } from './devices.ts';

export * from '../../../../server/src/db/conversation/erasure.ts';

/** Not modelled: retention, which deletes expired conversations. */
export const eraseRows: typeof real.eraseRows = modelled('eraseRows', (state, conversationId, by) => {
  const found = state.conversations.get(conversationId);
  if (found === undefined) return undefined;
  if (by === 'visitor' && (found.status === 'blocked' || !state.profile.settings.visitorErase))
    return undefined;
  const { handlerAlias, inviteId, visitorId } = found;
  const own = state.devices.where((device) => device.conversationId === conversationId);
  const visitors = [...new Set([visitorId, ...own.map((device) => device.visitorId)])];
  state.erasures.set(conversationId, { visitors });
  state.deleted.set(conversationId, { conversationId, handlerAlias, by, deletedAt: state.now() });
  for (const { id } of state.media.where((each) => each.conversationId === conversationId))
    state.media.delete(id);
  for (const { id } of state.notes.where((each) => each.conversationId === conversationId))
    state.notes.delete(id);
  for (const toOwner of [true, false]) state.pushDue.delete(both(conversationId, toOwner));
  for (const device of own) state.devices.delete(both(conversationId, device.visitorId));
  for (const key of state.views.keys())
    if (state.views.get(key)?.conversationId === conversationId) state.views.delete(key);
  state.messages.delete(conversationId);
  state.blocks.delete(conversationId);
  state.conversations.delete(conversationId);
  endInvite(state, inviteId);
  for (const id of detachedOf(state, visitors)) {
    state.profiles.delete(id);
    for (const { endpoint } of state.subscriptions.where((each) => each.visitorId === id))
      state.subscriptions.delete(endpoint);
  }
  return { handlerAlias };
});

function endInvite({ invites }: State, inviteId: string): void {
  invites.update(inviteId, {
    state: 'REVOKED',
    label: '',
    codeHash: null,
    codeFailures: 0,
    codeFailuresInLife: 0,
    codeLockedUntil: null,
  });
}

export const wasErasedFor: typeof real.wasErasedFor = modelled(
  'wasErasedFor',
  ({ erasures }, conversationId, { visitorId }) =>
    erasures.get(conversationId)?.visitors.includes(visitorId) ?? false,
);
