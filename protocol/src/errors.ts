import * as v from 'valibot';
import { texts } from './texts.ts';

type ErrorEntry = { status: number; retryable: boolean; text: string };

/**
 * All the ways a call or a frame can be refused. `retryable` tells a client whether the same bytes
 * may succeed later; `text` is what a person may read. docs/protocol.md lists them, and a test
 * compares the two.
 */
export const errors = {
  bad_request: { status: 400, retryable: false, text: 'The request is not understood' },
  name_refused: { status: 400, retryable: false, text: texts.nameFailed },
  unauthenticated: { status: 401, retryable: false, text: texts.notAuthenticated },
  sign_in_failed: { status: 401, retryable: false, text: texts.signInFailed },
  access_denied: { status: 403, retryable: false, text: texts.accessDenied },
  not_found: { status: 404, retryable: false, text: texts.conversationNotFound },
  invite_not_found: { status: 404, retryable: false, text: texts.inviteNotFound },
  invite_expired: { status: 410, retryable: false, text: texts.inviteExpired },
  invite_revoked: { status: 410, retryable: false, text: texts.inviteRevoked },
  invite_bound: { status: 409, retryable: false, text: texts.codeRequired },
  code_invalid: { status: 403, retryable: false, text: texts.codeInvalid },
  code_locked: { status: 429, retryable: true, text: 'Too many wrong codes. Please wait 15 minutes.' },
  code_void: {
    status: 403,
    retryable: false,
    text: 'This code is no longer valid. Make a new one on your first device.',
  },
  conversation_closed: { status: 409, retryable: false, text: texts.closedTitle },
  /** The same client id arrived before with other content. */
  id_reused: { status: 409, retryable: false, text: 'This message id was used for another message' },
  too_many: { status: 429, retryable: true, text: 'Too many requests. Please slow down.' },
  unavailable: { status: 503, retryable: true, text: 'The service is busy. Please try again.' },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errors;
export const ErrorCode = v.picklist(Object.keys(errors) as ErrorCode[]);

/** What every refused call answers, besides the fields its own answer names. */
export const Refusal = v.object({ success: v.literal(false), error: v.string(), code: ErrorCode });
export type Refusal = v.InferOutput<typeof Refusal>;

export function isRetryable(code: ErrorCode): boolean {
  return errors[code].retryable;
}
