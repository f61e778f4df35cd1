import { type ErrorCode, isRetryable } from '@settee/protocol/model/errorCodes';

/**
 * Whether a retry is pointless. Without a code, the answer did not come from our server. Signing in may still succeed
 * later.
 */
export function isFinalError(code: ErrorCode | undefined): boolean {
  return code !== undefined && code !== 'unauthenticated' && !isRetryable(code);
}
