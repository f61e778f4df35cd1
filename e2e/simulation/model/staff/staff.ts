import { SECOND_FACTOR_GRACE_DAYS } from '@settee/protocol/model/secondFactor';
import type * as real from '../../../../server/src/db/staff/staff.ts';
import { modelled } from '../modelDatabase.ts';
import type { State } from '../state.ts';

export * from '../../../../server/src/db/staff/staff.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const PREVIOUS_SECRET_MS = 30 * SECOND_MS;
const FRESH_MINUTES = 10;

type Rules = Parameters<typeof real.findSessions>[1];
type Session = ReturnType<State['sessions']['all']>[number];

/** Open sessions of active accounts. */
function liveSessions(state: State, rules: Rules, matches: (session: Session) => boolean): real.SessionRow[] {
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
    const isMissing = isUnproven && isRequired && !person.hasFactor;
    const inGrace = policy !== 'everyone' || graceEnds === null || graceEnds > now;
    return {
      sessionId: session.id,
      staffId: person.id,
      name: person.name,
      role: person.role,
      alias: person.alias,
      away: person.away,
      verified: !isUnproven || (!person.hasFactor && inGrace),
      enrolBy: isMissing ? graceEnds : null,
      overdue: isMissing && graceEnds !== null && graceEnds <= now,
    };
  });
}

export const findSessions: typeof real.findSessions = modelled('findSessions', (state, rules, ids) =>
  liveSessions(state, rules, ({ id }) => ids.includes(id)),
);

export const findSession: typeof real.findSession = modelled('findSession', (state, rules, hash) => {
  const [found] = liveSessions(state, rules, ({ tokenHash }) => tokenHash.equals(hash));
  const isRecent = ({ confirmedAt }: Session) =>
    confirmedAt !== null && confirmedAt > state.now() - PREVIOUS_SECRET_MS;
  const [before] = liveSessions(
    state,
    rules,
    (session) => isRecent(session) && session.previousHash?.equals(hash) === true,
  );
  return found ?? before;
});

export const readSession: typeof real.readSession = modelled(
  'readSession',
  (state, rules, sessionId) => liveSessions(state, rules, ({ id }) => id === sessionId)[0],
);

export const startGracePeriod: typeof real.startGracePeriod = modelled('startGracePeriod', (state, id) => {
  if (state.staff.get(id)?.graceFrom === null) state.staff.update(id, { graceFrom: state.now() });
});

export const touchSession: typeof real.touchSession = modelled('touchSession', (state, sessionId) =>
  state.sessions.update(sessionId, { lastUsedAt: state.now() }),
);

export const insertSession: typeof real.insertSession = modelled(
  'insertSession',
  (state, { staffId, tokenHash, days, proof: { secondFactor, recent } }) => {
    const id = state.newId();
    const now = state.now();
    state.sessions.set(id, {
      ...{ id, staffId, tokenHash, previousHash: null, revokedAt: null },
      ...{ createdAt: now, lastUsedAt: now, expiresAt: now + days * DAY_MS },
      confirmedAt: recent ? now : null,
      secondFactorAt: secondFactor ? now - (recent ? 0 : FRESH_MINUTES * MINUTE_MS) : null,
    });
    return id;
  },
);

export const revokeSession: typeof real.revokeSession = modelled('revokeSession', (state, hash) => {
  const found = state.sessions.find(
    ({ tokenHash, revokedAt }) => revokedAt === null && tokenHash.equals(hash),
  );
  if (found !== undefined) state.sessions.update(found.id, { revokedAt: state.now() });
  return found?.staffId;
});

export const insertAccount: typeof real.insertAccount = modelled('insertAccount', (state, account) => {
  const isTaken = state.staff.find(({ email }) => email.toLowerCase() === account.email.toLowerCase());
  if (isTaken !== undefined) return undefined;
  const id = state.newId();
  const { email, name, passwordHash, role, alias } = account;
  state.staff.set(id, {
    ...{ id, email, name, passwordHash, role, alias },
    ...{ active: true, away: false, graceFrom: null, hasFactor: false },
  });
  return id;
});

export const setAway: typeof real.setAway = modelled('setAway', ({ staff }, staffId, away) => {
  const changes = staff.get(staffId)?.away === !away;
  if (changes) staff.update(staffId, { away });
  return changes;
});

export const ensureAlias: typeof real.ensureAlias = modelled('ensureAlias', ({ handlers }, alias) =>
  handlers.set(alias, { alias }),
);

export const aliasExists: typeof real.aliasExists = modelled(
  'aliasExists',
  ({ handlers }, alias) => handlers.get(alias) !== undefined,
);
