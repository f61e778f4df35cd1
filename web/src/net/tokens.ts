import type { Clock } from './clock.ts';
import type { IdToken } from './live.ts';

const RENEW_BEFORE_END_MS = 5 * 60_000;

/** Holds a person's short-lived ID token: renews it early, and asks only once however many callers wait. */
export type TokenHolder = {
  get(): Promise<IdToken>;
  renew(): Promise<IdToken>;
  /** Takes a token that came with another answer, such as a sign-in's. */
  keep(token: IdToken): void;
  forget(): void;
};

export function tokenHolder(clock: Clock, fetchToken: () => Promise<IdToken>): TokenHolder {
  let held: IdToken | undefined;
  let asking: Promise<IdToken> | undefined;

  function renew(): Promise<IdToken> {
    asking ??= fetchToken()
      .then((token) => {
        held = token;
        return token;
      })
      .finally(() => {
        asking = undefined;
      });
    return asking;
  }

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
