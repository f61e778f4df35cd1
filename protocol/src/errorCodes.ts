import * as v from 'valibot';

/** All the ways a call or a frame can be refused; true where the same bytes may succeed later. */
const retryable = {
  bad_request: false,
  name_refused: false,
  unauthenticated: false,
  sign_in_failed: false,
  access_denied: false,
  not_found: false,
  invite_not_found: false,
  invite_expired: false,
  invite_revoked: false,
  invite_bound: false,
  code_invalid: false,
  code_locked: true,
  code_void: false,
  conversation_closed: false,
  id_reused: false,
  reply_outdated: false,
  shortcut_taken: false,
  image_type: false,
  image_size: false,
  image_limit: false,
  media_refused: false,
  push_refused: false,
  too_many: true,
  unavailable: true,
} as const;

export type ErrorCode = keyof typeof retryable;
export const ErrorCode = v.picklist(Object.keys(retryable) as ErrorCode[]);

export function isRetryable(code: ErrorCode): boolean {
  return retryable[code];
}
