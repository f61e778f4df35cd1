import { signInCalls } from '@settee/protocol/calls/signInCalls';
import { createApi, type TokenHolder, tokenHolder } from './api.ts';
import { systemClock } from './clock.ts';
import { TokenFailure } from './tokenFailure.ts';

/** ID tokens of one staff member, as long as the cookie is theirs. */
export function staffTokens(staffId: string): TokenHolder {
  const open = createApi(signInCalls, {});
  return tokenHolder(systemClock, async () => {
    const refreshed = await open('refreshStaff', { body: { active: false } });
    if (!refreshed.ok) throw new TokenFailure(refreshed);
    if (refreshed.answer.staff.staffId !== staffId) throw new Error('somebody else is signed in');
    return refreshed.answer;
  });
}
