import type * as real from '../../../../server/src/db/staff/people.ts';
import { modelled } from '../modelDatabase.ts';
import type { State } from '../state.ts';

export * from '../../../../server/src/db/staff/people.ts';

type Person = ReturnType<State['staff']['all']>[number];

export function works({ active, role }: Person): boolean {
  return active && (role === 'handler' || role === 'admin');
}

export const lockPeople: typeof real.lockPeople = modelled('lockPeople', () => {});

export const lockPeopleShared: typeof real.lockPeopleShared = modelled('lockPeopleShared', () => {});

export const roleOfSession: typeof real.roleOfSession = modelled('roleOfSession', (state, sessionId) => {
  const session = state.sessions.get(sessionId);
  const isOpen = session?.revokedAt === null && session.expiresAt > state.now();
  const person = session && state.staff.get(session.staffId);
  return isOpen && person?.active ? person.role : undefined;
});

export const findUnstaffedDesks: typeof real.findUnstaffedDesks = modelled(
  'findUnstaffedDesks',
  ({ staff }, aliases) =>
    aliases.filter((alias) => staff.find((person) => person.alias === alias && works(person)) === undefined),
);

export const hasOtherAdmin: typeof real.hasOtherAdmin = modelled(
  'hasOtherAdmin',
  ({ staff }, id) =>
    staff.find(
      (person) =>
        person.role === 'admin' && person.active && person.passwordHash !== null && person.id !== id,
    ) !== undefined,
);

export const hasOtherStaffAt: typeof real.hasOtherStaffAt = modelled(
  'hasOtherStaffAt',
  ({ staff }, alias, exceptId = null) =>
    staff.find((person) => person.alias === alias && works(person) && person.id !== exceptId) !== undefined,
);

export const updatePerson: typeof real.updatePerson = modelled(
  'updatePerson',
  (state, id, { name, email, role, alias }, { promoted = false } = {}) => {
    const isTaken = state.staff.find(
      (person) => person.id !== id && person.email.toLowerCase() === email.toLowerCase(),
    );
    if (isTaken !== undefined) return false;
    state.staff.update(id, { name, email, role, alias, ...(promoted && { graceFrom: state.now() }) });
    return true;
  },
);

export const setActive: typeof real.setActive = modelled('setActive', ({ staff }, id, active) =>
  staff.update(id, { active }),
);

export const movePushSubscriptions: typeof real.movePushSubscriptions = modelled(
  'movePushSubscriptions',
  ({ subscriptions }, staffId, alias) => {
    for (const { endpoint } of subscriptions.where((each) => each.staffId === staffId)) {
      if (alias === null) subscriptions.delete(endpoint);
      else subscriptions.update(endpoint, { alias });
    }
  },
);
