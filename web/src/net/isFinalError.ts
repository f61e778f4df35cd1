import { type ErrorCode, isRetryable } from '@settee/protocol/calls/errorCodes';

/** Without a code the answer is not our server's word on it; and who is not signed in now may be later. */
export function isFinalError(code: ErrorCode | undefined): boolean {
  return code !== undefined && code !== 'unauthenticated' && !isRetryable(code);
}
