import * as v from 'valibot';

/** Every reason to refuse a call or a frame. */
export const ErrorCode = v.picklist([
  'bad_request',
  'unauthenticated',
  'sign_in_failed',
  'access_denied',
  'second_factor_required',
  'second_factor_failed',
  'password_required',
  'setup_done',
  'link_void',
  'email_taken',
  'last_admin',
  'desk_in_use',
  'not_found',
  'invite_not_found',
  'invite_expired',
  'invite_revoked',
  'invite_bound',
  'code_invalid',
  'code_locked',
  'code_void',
  'conversation_closed',
  'id_reused',
  'reply_outdated',
  'shortcut_taken',
  'image_type',
  'image_size',
  'image_limit',
  'media_refused',
  'push_refused',
  'too_many',
  'unavailable',
]);
export type ErrorCode = v.InferOutput<typeof ErrorCode>;

/** Whether the same request can succeed later. */
export function isRetryable(code: ErrorCode): boolean {
  return code === 'code_locked' || code === 'too_many' || code === 'unavailable';
}
