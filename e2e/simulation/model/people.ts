import { SECOND_FACTOR_GRACE_DAYS } from '@settee/protocol/model/secondFactor';
import type { HeldDesk } from '@settee/protocol/model/staff';
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

function isStaffed({ staff, deskStaff }: State, alias: string, exceptId: string | null = null): boolean {
  return deskStaff
    .where((each) => each.alias === alias && each.staffId !== exceptId)
    .some(({ staffId }) => {
      const person = staff.get(staffId);
      return person !== undefined && works(person);
    });
}

function rowOf(state: State, staffId: string): AccountRow | undefined {
  const person = state.staff.get(staffId);
  if (person === undefined) return undefined;
  const { graceFrom: _, ...row } = person;
  return { ...row, desks: desksOf(state, staffId).map(({ alias }) => alias), waitingMail: false };
}

/** The first desk first. */
export function desksOf({ staff, deskStaff }: State, staffId: string): HeldDesk[] {
  const first = staff.get(staffId)?.alias;
  const held = deskStaff.where((each) => each.staffId === staffId).map(({ alias, off }) => ({ alias, off }));
  return held.sort((left, right) =>
    left.alias === first || (right.alias !== first && left.alias < right.alias) ? -1 : 1,
  );
}

function holdDesk({ deskStaff }: State, staffId: string, alias: string): void {
  const key = both(alias, staffId);
  if (deskStaff.get(key) === undefined) deskStaff.set(key, { alias, staffId, off: false });
}

/** The only desk is never off. */
function leaveDesk({ deskStaff }: State, staffId: string, alias: string): void {
  deskStaff.delete(both(alias, staffId));
  const [left, ...others] = deskStaff.where((each) => each.staffId === staffId);
  if (left !== undefined && others.length === 0) deskStaff.update(both(left.alias, staffId), { off: false });
}

export function writeDesks(state: State, staffId: string, aliases: readonly string[]): void {
  for (const alias of aliases) holdDesk(state, staffId, alias);
  for (const { alias } of desksOf(state, staffId))
    if (!aliases.includes(alias)) leaveDesk(state, staffId, alias);
}

/** As the trigger of staff.alias. */
function followFirstDesk(state: State, staffId: string, alias: string | null): void {
  const before = state.staff.get(staffId)?.alias ?? null;
  if (alias === null) writeDesks(state, staffId, []);
  else holdDesk(state, staffId, alias);
  if (alias !== null && before !== null && before !== alias) leaveDesk(state, staffId, before);
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
      desks: desksOf(state, person.id),
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

  areOfTwoProfiles: () => false,

  findUnstaffedDesks: (state, aliases) => aliases.filter((alias) => !isStaffed(state, alias)),

  hasOtherStaffAt: (state, alias, exceptId = null) => isStaffed(state, alias, exceptId),

  updatePerson: (state, id, { name, email, role, desks }, { promoted = false } = {}) => {
    const isTaken = state.staff.find(
      (person) => person.id !== id && person.email.toLowerCase() === email.toLowerCase(),
    );
    if (isTaken !== undefined) return false;
    const alias = desks[0] ?? null;
    followFirstDesk(state, id, alias);
    writeDesks(state, id, desks);
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
    followFirstDesk(state, id, alias);
    return id;
  },

  setAway: ({ staff }, staffId, away) => {
    const changes = staff.get(staffId)?.away === !away;
    if (changes) staff.update(staffId, { away });
    return changes;
  },

  writeDesks,

  setDeskOff: (state, staffId, { alias, off }) => {
    const held = state.deskStaff.where((each) => each.staffId === staffId);
    const changes =
      (!off || held.length > 1) && held.some((each) => each.alias === alias && each.off !== off);
    if (changes) state.deskStaff.update(both(alias, staffId), { off });
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

  readProfiles: ({ profile }) => [{ ...profile, slug: 'main', hoursRev: 0, desks: [] }],

  /** Nobody reads the audit log. */
  insertAudit: () => {},

  readDatabaseTime: (state) => state.now(),
} satisfies Effects;
