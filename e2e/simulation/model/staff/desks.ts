import type * as real from '../../../../server/src/db/staff/desks.ts';
import { modelled } from '../modelDatabase.ts';
import { works } from './people.ts';

export const readDesks: typeof real.readDesks = modelled('readDesks', (state) =>
  state.handlers
    .keys()
    .sort()
    .map((alias) => ({
      alias,
      people: state.staff
        .where((person) => person.alias === alias && works(person))
        .sort((a, b) => (a.name === b.name ? (a.id < b.id ? -1 : 1) : a.name < b.name ? -1 : 1))
        .map(({ name }) => name),
      online:
        state.presence.find(({ key, expiresAt }) => key === alias && expiresAt > state.now()) !== undefined,
    }))
    .filter(({ people }) => people.length > 0),
);
