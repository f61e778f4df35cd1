import { visitorCalls } from '@settee/protocol/calls/visitorCalls';
import { createApi, type TokenHolder, tokenHolder } from './api.ts';
import { systemClock } from './clock.ts';
import { earlyFetch } from './early.ts';
import { TokenFailure } from './tokenFailure.ts';

/** ID tokens for the visitor cookie of this browser. */
export function anonymousTokens(): TokenHolder {
  const open = createApi(visitorCalls, { fetch: earlyFetch });
  return tokenHolder(systemClock, async () => {
    const user = await open('signInAnonymously', {});
    if (!user.ok) throw new TokenFailure(user);
    return user.answer;
  });
}
