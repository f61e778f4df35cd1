import { SECOND_FACTOR_GRACE_DAYS } from '@settee/protocol/model/secondFactor';
import type { AccountRow } from '../../../server/src/staff/accounts.store.ts';
import type { findSessions, SessionRow } from '../../../server/src/staff/staff.store.ts';
import type { Effects } from './functions.ts';
import { both, type Person, type Session, type State } from './state.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FRESH_MS = 10 * 60_000;

function works({ active, role }: Person): boolean {
  return active && (role === 'handler' || role === 'admin');
}

function rowOf({ staff }: State, staffId: string): AccountRow | undefined {
  const person = staff.get(staffId);
  if (person === undefined) return undefined;
  const { graceFrom: _, ...row } = person;
  return { ...row, waitingMail: false };
}

type Rules = Parameters<typeof findSessions>[1];
/** Open sessions of active accounts. */
function liveSessions(state: State, rules: Rules, matches: (session: Session) => boolean): SessionRow[] {
  const now = state.now();
  return state.sessions.where(matches).flatMap((session) => {
    const person = state.staff.get(session.staffId);
    if (!person?.active) return [];
    const { days, idleHours } = rules.sessions[person.role === 'admin' ? 'admin' : 'handler'];
    const isOpen =
      session.revokedAt === null &&
      session.expiresAt > now &&
      session.createdAt > now - days * DAY_MS &&
      session.lastUsedAt > now - idleHours * HOUR_MS;
    if (!isOpen) return [];
    const policy = rules.secondFactor;
    const graceEnds = person.graceFrom === null ? null : person.graceFrom + SECOND_FACTOR_GRACE_DAYS * DAY_MS;
    const isRequired = policy === 'everyone' || (policy === 'administrators' && person.role === 'admin');
    const isUnproven = session.secondFactorAt === null;
    const isMissing = isUnproven && isRequired;
    const inGrace = policy !== 'everyone' || graceEnds === null || graceEnds > now;
    return {
      sessionId: session.id,
      staffId: person.id,
      name: person.name,
      role: person.role,
      alias: person.alias,
      away: person.away,
      verified: !isUnproven || inGrace,
      enrolBy: isMissing ? graceEnds : null,
      overdue: isMissing && graceEnds !== null && graceEnds <= now,
    };
  });
}

function isOpen(state: State, { revokedAt, expiresAt }: Session): boolean {
  return revokedAt === null && expiresAt > state.now();
}

function revoke(state: State, sessions: readonly Session[]): void {
  const ids = sessions.map(({ id }) => id);
  for (const id of ids) state.sessions.update(id, { revokedAt: state.now() });
  for (const { endpoint, sessionId } of state.subscriptions.all())
    if (sessionId !== null && ids.includes(sessionId)) state.subscriptions.delete(endpoint);
}

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

export const people = {
  lockPeople: () => {},

  lockPeopleShared: () => {},

  roleOfSession: (state, sessionId) => {
    const session = state.sessions.get(sessionId);
    const isOpen = session?.revokedAt === null && session.expiresAt > state.now();
    const person = session && state.staff.get(session.staffId);
    return isOpen && person?.active ? person.role : undefined;
  },

  findUnstaffedDesks: ({ staff }, aliases) =>
    aliases.filter((alias) => staff.find((person) => person.alias === alias && works(person)) === undefined),

  hasOtherStaffAt: ({ staff }, alias, exceptId = null) =>
    staff.find((person) => person.alias === alias && works(person) && person.id !== exceptId) !== undefined,

  updatePerson: (state, id, { name, email, role, alias }, { promoted = false } = {}) => {
    const isTaken = state.staff.find(
      (person) => person.id !== id && person.email.toLowerCase() === email.toLowerCase(),
    );
    if (isTaken !== undefined) return false;
    state.staff.update(id, { name, email, role, alias, ...(promoted && { graceFrom: state.now() }) });
    return true;
  },

  movePushSubscriptions: ({ subscriptions }, staffId, alias) => {
    for (const { endpoint } of subscriptions.where((each) => each.staffId === staffId)) {
      if (alias === null) subscriptions.delete(endpoint);
      else subscriptions.update(endpoint, { alias });
    }
  },

  lockAccount: rowOf,

  findSessions: (state, rules, ids) => liveSessions(state, rules, ({ id }) => ids.includes(id)),

  insertSession: (state, { staffId, days, proof: { secondFactor, recent } }) => {
    const id = state.newId();
    const now = state.now();
    state.sessions.set(id, {
      ...{ id, staffId, createdAt: now, lastUsedAt: now, expiresAt: now + days * DAY_MS, revokedAt: null },
      secondFactorAt: secondFactor ? now - (recent ? 0 : FRESH_MS) : null,
    });
    return id;
  },

  insertAccount: (state, account) => {
    const isTaken = state.staff.find(({ email }) => email.toLowerCase() === account.email.toLowerCase());
    if (isTaken !== undefined) return undefined;
    const id = state.newId();
    const { email, name, passwordHash, role, alias } = account;
    state.staff.set(id, {
      ...{ id, email, name, passwordHash, role, alias },
      ...{ active: true, away: false, graceFrom: null },
    });
    return id;
  },

  setAway: ({ staff }, staffId, away) => {
    const changes = staff.get(staffId)?.away === !away;
    if (changes) staff.update(staffId, { away });
    return changes;
  },

  ensureAlias: ({ handlers }, alias) => handlers.set(alias, { alias }),

  endSessionsOf: (state, staffId, { except = null, withoutFactorOnly = false } = {}) => {
    const ended = state.sessions.where(
      (session) =>
        session.staffId === staffId &&
        isOpen(state, session) &&
        session.id !== except &&
        (!withoutFactorOnly || session.secondFactorAt === null),
    );
    revoke(state, ended);
    return ended.length;
  },

  renewPresence: (state, ...lease) => renew(state, 'presence')(...lease),

  endPresence: (state, ...lease) => end(state, 'presence')(...lease),

  listOnlineDesks: (state) =>
    [
      ...new Set(state.presence.where(({ expiresAt }) => expiresAt > state.now()).map(({ key }) => key)),
    ].sort(),

  isAnyoneOnline: (state) => state.presence.find(({ expiresAt }) => expiresAt > state.now()) !== undefined,

  renewStaffPresence: (state, ...lease) => renew(state, 'staffPresence')(...lease),

  endStaffPresence: (state, ...lease) => end(state, 'staffPresence')(...lease),

  readDeskLoad: ({ conversations, invites }, alias) => ({
    conversations: conversations.where(
      ({ handlerAlias, status }) => handlerAlias === alias && status === 'open',
    ).length,
    invites: invites.where(({ handlerAlias, state }) => handlerAlias === alias && state === 'NEW').length,
  }),

  readProfile: ({ profile }) => profile,

  readHoursRev: () => 0,

  /** Nobody reads the audit log. */
  insertAudit: () => {},

  readDatabaseTime: (state) => state.now(),
} satisfies Effects;
