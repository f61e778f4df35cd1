import type * as real from '../../../../server/src/db/invite/inviteChanges.ts';
import { endPushOfDetached } from '../conversation/devices.ts';
import { modelled } from '../modelDatabase.ts';
import { both } from '../state.ts';

export * from '../../../../server/src/db/invite/inviteChanges.ts';

export const revokeAll: typeof real.revokeAll = modelled('revokeAll', (state, ids) => {
  const revoked = [...new Set(ids)]
    .sort()
    .filter((id) => (state.invites.get(id)?.state ?? 'REVOKED') !== 'REVOKED');
  for (const id of revoked) state.invites.update(id, { state: 'REVOKED', codeHash: null });
  const conversations = state.conversations
    .where(({ inviteId }) => revoked.includes(inviteId))
    .map(({ id, handlerAlias }) => ({ id, handlerAlias }));
  for (const { id } of conversations) {
    state.conversations.update(id, { rev: (state.conversations.get(id)?.rev ?? 0) + 1 });
    for (const { visitorId, revokedAt } of state.devices.where((each) => each.conversationId === id)) {
      if (revokedAt !== null) continue;
      state.devices.update(both(id, visitorId), { revokedAt: state.now() });
      endPushOfDetached(state, [visitorId]);
    }
  }
  return { revoked, conversations };
});
