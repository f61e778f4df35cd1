import { consoleTexts } from '@settee/protocol/consoleTexts';
import { calls } from '@settee/protocol/http';
import type { StaffClaims } from '@settee/protocol/staff';
import { texts } from '@settee/protocol/texts';
import { type Api, createApi } from '../net/api.ts';
import { type Clock, systemClock } from '../net/clock.ts';
import { type TokenHolder, tokenHolder } from '../net/tokens.ts';

/** Whoever waits longer than this for an answer gets the sign-in. */
const LOADING_AT_MOST_MS = 3_000;

export type Session =
  | { phase: 'loading' }
  | { phase: 'signedOut'; error: string | null; busy: boolean }
  | { phase: 'failed'; reason: string }
  | { phase: 'ready'; staff: StaffClaims };

export type SessionStore = {
  api: Api;
  tokens: TokenHolder;
  get(): Session;
  subscribe(listener: () => void): () => void;
  load(): Promise<void>;
  signIn(email: string, password: string): Promise<void>;
  signOut(): Promise<void>;
  /** The server ended this session by itself. */
  ended(): void;
};

const signedOut: Session = { phase: 'signedOut', error: null, busy: false };

/** Who is signed in to the console. The cookie knows; the page asks it for tokens. */
export function sessionStore(open: Api = createApi(calls, {}), clock: Clock = systemClock): SessionStore {
  const listeners = new Set<() => void>();
  let session: Session = { phase: 'loading' };

  const tokens = tokenHolder(clock, async () => {
    const refreshed = await open('refreshStaff', {});
    if (refreshed.ok) return refreshed.answer;
    if (refreshed.status === 401 && session.phase === 'ready') set(signedOut);
    throw new Error(refreshed.text);
  });

  function set(next: Session): void {
    session = next;
    for (const listener of [...listeners]) listener();
  }

  return {
    api: createApi(calls, { tokens }),
    tokens,
    get: () => session,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async load() {
      set({ phase: 'loading' });
      const fallback = clock.setTimeout(() => {
        if (session.phase === 'loading') set(signedOut);
      }, LOADING_AT_MOST_MS);
      const refreshed = await open('refreshStaff', {});
      clock.clearTimeout(fallback);
      if (refreshed.ok) {
        tokens.keep(refreshed.answer);
        set({ phase: 'ready', staff: refreshed.answer.staff });
      } else if (session.phase !== 'loading') {
        // The sign-in is already shown, and serves for everything.
      } else if (refreshed.status === 401 || refreshed.status === 403) {
        set(signedOut);
      } else {
        set({ phase: 'failed', reason: consoleTexts.authInitFailed });
      }
    },
    async signIn(email, password) {
      set({ phase: 'signedOut', error: null, busy: true });
      const signed = await open('signInStaff', { body: { email, password } });
      if (signed.ok) {
        tokens.keep(signed.answer);
        set({ phase: 'ready', staff: signed.answer.staff });
      } else {
        set({ phase: 'signedOut', error: signed.text || texts.signInFailed, busy: false });
      }
    },
    async signOut() {
      await open('signOutStaff', {});
      tokens.forget();
      set(signedOut);
    },
    ended() {
      tokens.forget();
      set(signedOut);
    },
  };
}
