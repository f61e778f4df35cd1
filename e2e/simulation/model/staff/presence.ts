import type * as real from '../../../../server/src/db/staff/presence.ts';
import { modelled } from '../modelDatabase.ts';
import { both, type State } from '../state.ts';

function renew(state: State, table: 'presence' | 'staffPresence') {
  return (gatewayId: string, keys: string[], seconds: number): void => {
    const expiresAt = state.now() + seconds * 1_000;
    for (const key of keys) state[table].set(both(key, gatewayId), { key, gatewayId, expiresAt });
  };
}

function end(state: State, table: 'presence' | 'staffPresence') {
  return (gatewayId: string, keys: string[]): void => {
    for (const key of keys) state[table].delete(both(key, gatewayId));
  };
}

export const renewPresence: typeof real.renewPresence = modelled('renewPresence', (state, ...lease) =>
  renew(state, 'presence')(...lease),
);

export const endPresence: typeof real.endPresence = modelled('endPresence', (state, ...lease) =>
  end(state, 'presence')(...lease),
);

export const isAnyoneOnline: typeof real.isAnyoneOnline = modelled(
  'isAnyoneOnline',
  (state) => state.presence.find(({ expiresAt }) => expiresAt > state.now()) !== undefined,
);

export const isOnline: typeof real.isOnline = modelled(
  'isOnline',
  (state, alias) =>
    state.presence.find(({ key, expiresAt }) => key === alias && expiresAt > state.now()) !== undefined,
);

export const renewStaffPresence: typeof real.renewStaffPresence = modelled(
  'renewStaffPresence',
  (state, ...lease) => renew(state, 'staffPresence')(...lease),
);

export const endStaffPresence: typeof real.endStaffPresence = modelled(
  'endStaffPresence',
  (state, ...lease) => end(state, 'staffPresence')(...lease),
);
