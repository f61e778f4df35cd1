import type { Clock } from './clock.ts';
import type { IdToken } from './live.ts';
import { shareInFlight } from './shareInFlight.ts';

const RENEW_BEFORE_END_MS = 5 * 60_000;

/** Holds a short-lived ID token. Renews it early, with one request for all callers. */
export type TokenHolder = {
  get(): Promise<IdToken>;
  renew(): Promise<IdToken>;
  /** Stores a token from another answer, such as a sign-in. */
  keep(token: IdToken): void;
  forget(): void;
};

export function tokenHolder(clock: Clock, fetchToken: () => Promise<IdToken>): TokenHolder {
  let held: IdToken | undefined;

  const renew = shareInFlight(async () => {
    held = await fetchToken();
    return held;
  });

  return {
    get: async () => (held && held.expiresAt - clock.now() > RENEW_BEFORE_END_MS ? held : renew()),
    renew,
    keep(token) {
      held = token;
    },
    forget() {
      held = undefined;
    },
  };
}
