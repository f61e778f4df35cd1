import { type Answer, calls } from '@settee/protocol/calls/http';
import type { FactorProof, SecondFactorAsked } from '@settee/protocol/model/secondFactor';
import type { StaffClaims } from '@settee/protocol/model/staff';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { createStore } from '../browser/createStore.ts';
import { attempt } from '../chat/model/attempt.ts';
import { type Api, createApi, type Failure, type TokenHolder, tokenHolder } from '../net/api.ts';
import { type Clock, systemClock } from '../net/clock.ts';
import { TokenFailure } from '../net/tokenFailure.ts';

/** After this time the sign-in form is shown. */
const LOADING_AT_MOST_MS = 3_000;

const REPORT_ACTIVITY_MS = 5 * 60_000;

export type Session =
  | { phase: 'loading' }
  | {
      phase: 'signedOut';
      error: string | null;
      busy: boolean;
      /** The password was correct; the second factor is missing. */
      asked?: SecondFactorAsked | undefined;
      /** Who was at this page when the session ended, other than by a sign-out in this browser. */
      interrupted?: StaffClaims | undefined;
    }
  | { phase: 'failed'; reason: string }
  | { phase: 'ready'; staff: StaffClaims };

export type SessionStore = {
  api: Api;
  tokens: TokenHolder;
  get(): Session;
  subscribe(listener: () => void): () => void;
  /** Patient: waits for the answer without showing the sign-in form. */
  load(options?: { patient?: boolean }): Promise<void>;
  signIn(email: string, password: string): Promise<void>;
  /** After single sign-on, the second factor is missing. */
  ask(asked: SecondFactorAsked): void;
  confirm(proof: FactorProof): Promise<void>;
  startOver(): void;
  /** Reads the session again after an own change. */
  refresh(): Promise<void>;
  signOut(): Promise<void>;
  /** Work that must reach the server before the sign-out. */
  onLeave(task: () => Promise<void>): () => void;
  ended(): void;
  /** This person signs out in another page of this browser. Nothing of theirs stays on the screen. */
  leftElsewhere(staffId: string): void;
  /** Call when the person does something. Reports it now and then: an unattended page does not extend the session. */
  onActivity(): void;
};

const signedOut: Session = { phase: 'signedOut', error: null, busy: false };

/** Storage key. Has the id of who wants to sign out, until the server confirmed it. */
const LEAVING = 'leaving';

/** The staff session. The cookie identifies it; the page requests tokens. */
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
    const refreshed = await refreshStaff();
    if (refreshed.ok) {
      const { staffId } = refreshed.answer.staff;
      if (staffId === asking && staffId === signedIn()) return refreshed.answer;
      // All tabs share the cookie: pending work must not be sent in another person's name.
      if (asking === signedIn()) ended(undefined, { attended: false });
      throw new Error('somebody else is signed in');
    }
    if (isRefusal(refreshed.status) && asking === signedIn()) ended(refreshed.text);
    throw new TokenFailure(refreshed);
  });

  // Opening the page is an activity.
  let active = true;
  let actedAt = clock.now();
  let reportedAt = actedAt;

  function refreshStaff() {
    const body = { active };
    if (active) reportedAt = clock.now();
    active = false;
    return open('refreshStaff', { body });
  }

  function signedIn(): string | undefined {
    const session = store.get();
    return session.phase === 'ready' ? session.staff.staffId : undefined;
  }

  function secondFactorAsked(): SecondFactorAsked | undefined {
    const session = store.get();
    return session.phase === 'signedOut' ? session.asked : undefined;
  }

  let leavingCall: Promise<void> | undefined;

  /** Only the server can end the session. Otherwise the cookie would sign in the next person. */
  function leave(): Promise<void> {
    leavingCall = Promise.all([...beforeLeaving].map((task) => task()))
      .then(() => open('signOutStaff', {}))
      .then((left) => {
        if (left.ok) attempt(() => storage().removeItem(LEAVING));
      });
    return leavingCall;
  }

  function enter(answer: Answer<'confirmSignIn'>): void {
    // The server has ended the previous session.
    attempt(() => storage().removeItem(LEAVING));
    tokens.keep(answer);
    store.set({ phase: 'ready', staff: answer.staff });
  }

  /** An ended session shows a reason, except after a sign-out. */
  function ended(
    error: string = texts.notAuthenticated,
    // Others may see a page that was left alone.
    { attended = clock.now() - actedAt < REPORT_ACTIVITY_MS } = {},
  ): void {
    tokens.forget();
    const session = store.get();
    if (session.phase !== 'ready') return;
    const why = leaving ? { error: null } : { error, ...(attended && { interrupted: session.staff }) };
    store.set({ phase: 'signedOut', ...why, busy: false });
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
      const stillLeaving = attempt(() => storage().getItem(LEAVING)) != null;
      if (stillLeaving) await leave();
      const refreshed = stillLeaving ? undefined : await refreshStaff();
      clock.clearTimeout(fallback);
      if (!refreshed) {
        if (store.get().phase === 'loading') store.set(signedOut);
      } else if (refreshed.ok) {
        tokens.keep(refreshed.answer);
        store.set({ phase: 'ready', staff: refreshed.answer.staff });
      } else if (store.get().phase !== 'loading') {
        // The sign-in form is already shown.
      } else if (isRefusal(refreshed.status)) {
        store.set(signedOut);
      } else {
        store.set({ phase: 'failed', reason: consoleTexts.authInitFailed });
      }
    },
    async signIn(email, password) {
      store.set({ phase: 'signedOut', error: null, busy: true });
      // A sign-out that finishes later would remove the new cookie.
      await leavingCall;
      const signed = await open('signInStaff', { body: { email, password } });
      if (!signed.ok) store.set({ phase: 'signedOut', error: signInError(signed), busy: false });
      else if ('secondFactor' in signed.answer) {
        store.set({ phase: 'signedOut', error: null, busy: false, asked: signed.answer.secondFactor });
      } else enter(signed.answer);
    },
    ask(asked) {
      store.set({ phase: 'signedOut', error: null, busy: false, asked });
    },
    async confirm(proof) {
      const asked = secondFactorAsked();
      if (asked === undefined) return;
      store.set({ phase: 'signedOut', error: null, busy: true, asked });
      const signed = await open('confirmSignIn', { body: { ticket: asked.ticket, proof } });
      if (secondFactorAsked() !== asked) return;
      if (signed.ok) return enter(signed.answer);
      // An expired or used ticket cannot be used again.
      const over = signed.code === 'sign_in_failed' || signed.code === 'access_denied';
      const error = signInError(signed);
      store.set({ phase: 'signedOut', error, busy: false, ...(!over && { asked }) });
    },
    startOver() {
      if (store.get().phase === 'signedOut') store.set(signedOut);
    },
    async refresh() {
      const asking = signedIn();
      const refreshed = await refreshStaff();
      if (!refreshed.ok || asking === undefined || asking !== signedIn()) return;
      if (refreshed.answer.staff.staffId !== asking) return ended(undefined, { attended: false });
      tokens.keep(refreshed.answer);
      store.set({ phase: 'ready', staff: refreshed.answer.staff });
    },
    async signOut() {
      const staffId = signedIn();
      attempt(() => storage().setItem(LEAVING, staffId ?? ''));
      // The socket may close before the answer arrives.
      leaving = true;
      await leave();
      leaving = false;
      tokens.forget();
      store.set(signedOut);
    },
    onLeave(task) {
      beforeLeaving.add(task);
      return () => beforeLeaving.delete(task);
    },
    ended: () => ended(),
    leftElsewhere(staffId) {
      const session = store.get();
      const shown = 'interrupted' in session ? session.interrupted : 'staff' in session && session.staff;
      if (!shown || shown.staffId !== staffId) return;
      tokens.forget();
      store.set(signedOut);
    },
    onActivity() {
      active = true;
      actedAt = clock.now();
      if (signedIn() === undefined || clock.now() - reportedAt < REPORT_ACTIVITY_MS) return;
      // A failure is reported when a call needs the token.
      tokens.renew().catch(() => {});
    },
  };
}

export function watchPerson({
  onActivity,
  leftElsewhere,
}: Pick<SessionStore, 'onActivity' | 'leftElsewhere'>): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key === LEAVING && newValue !== null) leftElsewhere(newValue);
  });
  for (const kind of ['pointerdown', 'keydown']) {
    addEventListener(kind, onActivity, { capture: true, passive: true });
  }
}

function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}

/** The server's text, if any. */
function signInError({ code, status, text }: Failure): string {
  if (code !== undefined) return text || texts.signInFailed;
  return status === 0 ? texts.networkError : texts.authFailed;
}
