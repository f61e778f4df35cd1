import { type Answer, calls } from '@settee/protocol/calls/http';
import type { FactorProof, SecondFactorAsked } from '@settee/protocol/model/secondFactor';
import type { StaffClaims } from '@settee/protocol/model/staff';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { createStore } from '../browser/createStore.ts';
import { attempt } from '../chat/model/attempt.ts';
import { type Api, createApi, type Failure } from '../net/api.ts';
import { type Clock, systemClock } from '../net/clock.ts';
import { type TokenHolder, tokenHolder } from '../net/tokens.ts';

/** Whoever waits longer than this for an answer gets the sign-in. */
const LOADING_AT_MOST_MS = 3_000;

export type Session =
  | { phase: 'loading' }
  | {
      phase: 'signedOut';
      error: string | null;
      busy: boolean;
      /** The password was right; this is asked for besides. */
      asked?: SecondFactorAsked | undefined;
    }
  | { phase: 'failed'; reason: string }
  | { phase: 'ready'; staff: StaffClaims };

export type SessionStore = {
  api: Api;
  tokens: TokenHolder;
  get(): Session;
  subscribe(listener: () => void): () => void;
  /** Patient, it waits for the answer, however long: for where no sign-in is shown meanwhile. */
  load(options?: { patient?: boolean }): Promise<void>;
  signIn(email: string, password: string): Promise<void>;
  /** The second step, for whoever is asked for it. */
  confirm(proof: FactorProof): Promise<void>;
  /** Back to the first step. */
  startOver(): void;
  /** Reads again who this is and what they may: after their own change of it. */
  refresh(): Promise<void>;
  signOut(): Promise<void>;
  /** What has to be told to the server while it still listens; a sign-out waits for it. */
  onLeave(tell: () => Promise<void>): () => void;
  /** The server ended this session by itself. */
  ended(): void;
};

const signedOut: Session = { phase: 'signedOut', error: null, busy: false };

/** Stands in this browser from the wish to leave until the server has heard of it. */
const LEAVING = 'leaving';

/** Who is signed in to the console. The cookie knows; the page asks it for tokens. */
export function sessionStore(
  open: Api = createApi(calls, {}),
  clock: Clock = systemClock,
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = () => localStorage,
): SessionStore {
  const beforeLeaving = new Set<() => Promise<void>>();
  const store = createStore<Session>({ phase: 'loading' });
  let leaving = false;

  const tokens = tokenHolder(clock, async () => {
    const asking = signedIn();
    const refreshed = await open('refreshStaff', {});
    if (refreshed.ok) {
      const { staffId } = refreshed.answer.staff;
      if (staffId === asking && staffId === signedIn()) return refreshed.answer;
      // All tabs share the cookie: what waits here is not to go out in the name of whoever signed in elsewhere.
      if (asking === signedIn()) ended();
      throw new Error('somebody else is signed in');
    }
    if (isRefusal(refreshed.status) && asking === signedIn()) ended(refreshed.text);
    throw new Error(refreshed.text);
  });

  function signedIn(): string | undefined {
    const session = store.get();
    return session.phase === 'ready' ? session.staff.staffId : undefined;
  }

  function secondFactorAsked(): SecondFactorAsked | undefined {
    const session = store.get();
    return session.phase === 'signedOut' ? session.asked : undefined;
  }

  let leavingCall: Promise<void> | undefined;

  /** Only the server can end the session: without it the cookie would let the next person in. */
  function leave(): Promise<void> {
    attempt(() => storage().setItem(LEAVING, 'yes'));
    leavingCall = Promise.all([...beforeLeaving].map((tell) => tell()))
      .then(() => open('signOutStaff', {}))
      .then((left) => {
        if (left.ok) attempt(() => storage().removeItem(LEAVING));
      });
    return leavingCall;
  }

  function enter(answer: Answer<'confirmSignIn'>): void {
    // The server has let go of the session before.
    attempt(() => storage().removeItem(LEAVING));
    tokens.keep(answer);
    store.set({ phase: 'ready', staff: answer.staff });
  }

  /** Whoever is thrown out of an open console reads why; whoever leaves by themselves knows. */
  function ended(error: string = texts.notAuthenticated): void {
    tokens.forget();
    if (store.get().phase === 'ready')
      store.set({ phase: 'signedOut', error: leaving ? null : error, busy: false });
  }

  return {
    api: createApi(calls, { tokens }),
    tokens,
    get: store.get,
    subscribe: store.subscribe,
    async load({ patient = false } = {}) {
      store.set({ phase: 'loading' });
      const fallback = clock.setTimeout(() => {
        if (store.get().phase === 'loading' && !patient) store.set(signedOut);
      }, LOADING_AT_MOST_MS);
      const stillLeaving = attempt(() => storage().getItem(LEAVING)) === 'yes';
      if (stillLeaving) await leave();
      const refreshed = stillLeaving ? undefined : await open('refreshStaff', {});
      clock.clearTimeout(fallback);
      if (!refreshed) {
        if (store.get().phase === 'loading') store.set(signedOut);
      } else if (refreshed.ok) {
        tokens.keep(refreshed.answer);
        store.set({ phase: 'ready', staff: refreshed.answer.staff });
      } else if (store.get().phase !== 'loading') {
        // The sign-in is already shown, and serves for everything.
      } else if (isRefusal(refreshed.status)) {
        store.set(signedOut);
      } else {
        store.set({ phase: 'failed', reason: consoleTexts.authInitFailed });
      }
    },
    async signIn(email, password) {
      store.set({ phase: 'signedOut', error: null, busy: true });
      // Answered after this one, it would take the new cookie along.
      await leavingCall;
      const signed = await open('signInStaff', { body: { email, password } });
      if (!signed.ok) store.set({ phase: 'signedOut', error: signInError(signed), busy: false });
      else if ('secondFactor' in signed.answer) {
        store.set({ phase: 'signedOut', error: null, busy: false, asked: signed.answer.secondFactor });
      } else enter(signed.answer);
    },
    async confirm(proof) {
      const asked = secondFactorAsked();
      if (asked === undefined) return;
      store.set({ phase: 'signedOut', error: null, busy: true, asked });
      const signed = await open('confirmSignIn', { body: { ticket: asked.ticket, proof } });
      if (secondFactorAsked() !== asked) return;
      if (signed.ok) return enter(signed.answer);
      // A ticket that ended, or was spent, is worth nothing in another try.
      const over = signed.code === 'sign_in_failed' || signed.code === 'access_denied';
      const error = signInError(signed);
      store.set({ phase: 'signedOut', error, busy: false, ...(!over && { asked }) });
    },
    startOver() {
      if (store.get().phase === 'signedOut') store.set(signedOut);
    },
    async refresh() {
      const asking = signedIn();
      const refreshed = await open('refreshStaff', {});
      if (!refreshed.ok || asking === undefined || asking !== signedIn()) return;
      if (refreshed.answer.staff.staffId !== asking) return ended();
      tokens.keep(refreshed.answer);
      store.set({ phase: 'ready', staff: refreshed.answer.staff });
    },
    async signOut() {
      // The socket may hear of it before the answer is here.
      leaving = true;
      await leave();
      leaving = false;
      tokens.forget();
      store.set(signedOut);
    },
    onLeave(tell) {
      beforeLeaving.add(tell);
      return () => beforeLeaving.delete(tell);
    },
    ended: () => ended(),
  };
}

function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}

/** The server's own words, if it had any. An answer that makes no sense leaves nobody signed in either. */
function signInError({ code, status, text }: Failure): string {
  if (code !== undefined) return text || texts.signInFailed;
  return status === 0 ? texts.networkError : texts.authFailed;
}
