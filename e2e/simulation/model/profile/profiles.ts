import type * as real from '../../../../server/src/db/profile/profiles.ts';
import { modelled } from '../modelDatabase.ts';
import { both, type State } from '../state.ts';

function rowOf({ profiles, subscriptions }: State, visitorId: string): real.ProfileRow | undefined {
  const found = profiles.get(visitorId);
  if (found === undefined) return undefined;
  const { displayName, createdAt } = found;
  const [newest] = subscriptions
    .where((each) => each.visitorId === visitorId)
    .sort((a, b) => b.refreshedAt - a.refreshedAt);
  const pushEndpoint = newest?.endpoint ?? null;
  return { visitorId, displayName, createdAt: new Date(createdAt), pushEndpoint };
}

export const findProfile: typeof real.findProfile = modelled('findProfile', rowOf);

export const upsertProfile: typeof real.upsertProfile = modelled(
  'upsertProfile',
  (state, visitorId, displayName) => {
    const createdAt = state.profiles.get(visitorId)?.createdAt ?? state.now();
    state.profiles.set(visitorId, { displayName, createdAt });
    return rowOf(state, visitorId) as real.ProfileRow;
  },
);

export const setVisitorName: typeof real.setVisitorName = modelled(
  'setVisitorName',
  (state, { visitorId, credential }, conversationId, visitorName) => {
    const device = state.devices.get(both(conversationId, visitorId));
    const found = state.conversations.get(conversationId);
    if (found === undefined || device?.revokedAt !== null || !device.credential.equals(credential))
      return false;
    state.conversations.update(conversationId, { visitorName, rev: found.rev + 1 });
    return true;
  },
);
