import type * as real from '../../../../server/src/db/staff/ownSessions.ts';
import { modelled } from '../modelDatabase.ts';
import type { State } from '../state.ts';

export * from '../../../../server/src/db/staff/ownSessions.ts';

const FRESH_MS = 10 * 60_000;

type Session = ReturnType<State['sessions']['all']>[number];

function isOpen(state: State, { revokedAt, expiresAt }: Session): boolean {
  return revokedAt === null && expiresAt > state.now();
}

function revoke(state: State, sessions: readonly Session[]): void {
  const ids = sessions.map(({ id }) => id);
  for (const id of ids) state.sessions.update(id, { revokedAt: state.now() });
  for (const { endpoint, sessionId } of state.subscriptions.all())
    if (sessionId !== null && ids.includes(sessionId)) state.subscriptions.delete(endpoint);
}

export const hasRecentProof: typeof real.hasRecentProof = modelled('hasRecentProof', (state, sessionId) => {
  const session = state.sessions.get(sessionId);
  if (session === undefined || !isOpen(state, session)) return false;
  return Math.max(session.secondFactorAt ?? 0, session.confirmedAt ?? 0) > state.now() - FRESH_MS;
});

export const confirmSession: typeof real.confirmSession = modelled(
  'confirmSession',
  (state, { sessionId, tokenHash }) => {
    const session = state.sessions.get(sessionId);
    if (session === undefined || !isOpen(state, session)) return false;
    const previousHash = session.tokenHash;
    state.sessions.update(sessionId, { confirmedAt: state.now(), previousHash, tokenHash });
    return true;
  },
);

export const markSecondFactor: typeof real.markSecondFactor = modelled(
  'markSecondFactor',
  (state, sessionId) => state.sessions.update(sessionId, { secondFactorAt: state.now() }),
);

export const endSession: typeof real.endSession = modelled('endSession', (state, { staffId, id }) => {
  const ended = state.sessions.where(
    (session) => session.id === id && session.staffId === staffId && isOpen(state, session),
  );
  revoke(state, ended);
  return ended.length > 0;
});

export const endSessionsOf: typeof real.endSessionsOf = modelled(
  'endSessionsOf',
  (state, staffId, { except = null, withoutFactorOnly = false } = {}) => {
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
);
