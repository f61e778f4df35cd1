import * as v from 'valibot';
import { peopleTexts } from '../texts/peopleTexts.ts';
import { texts } from '../texts/texts.ts';
import { ErrorCode } from './errorCodes.ts';

type ErrorEntry = { status: number; text: string };

/**
 * HTTP status and text of each refusal. docs/protocol.md lists them; a test compares the two. Separate from the codes,
 * because the server sends the texts and the visitor's page does not need them.
 */
export const errors = {
  bad_request: { status: 400, text: 'The request is not understood' },
  unauthenticated: { status: 401, text: texts.notAuthenticated },
  sign_in_failed: { status: 401, text: texts.signInFailed },
  access_denied: { status: 403, text: texts.accessDenied },
  /** An administrator without a second factor can only set one up. */
  second_factor_required: { status: 403, text: 'Set up a second factor first' },
  second_factor_failed: { status: 401, text: 'That code is not right. Please try again.' },
  /** Changes to how a person signs in need a recently entered password. */
  password_required: { status: 403, text: 'Enter your password again' },
  /** The installation already has an administrator. */
  setup_done: { status: 409, text: 'This installation is set up already' },
  /** A one-time link that was used or replaced, or has expired. */
  link_void: { status: 410, text: 'This link was used or has ended. Ask your administrator for a new one.' },
  email_taken: { status: 409, text: peopleTexts.emailTaken },
  /** The installation would have no administrator left. */
  last_admin: { status: 409, text: peopleTexts.lastAdmin },
  /** A desk with open conversations or unused invites would have no handler left. */
  desk_in_use: { status: 409, text: peopleTexts.deskInUse },
  not_found: { status: 404, text: texts.conversationNotFound },
  invite_not_found: { status: 404, text: texts.inviteNotFound },
  invite_expired: { status: 410, text: texts.inviteExpired },
  invite_revoked: { status: 410, text: texts.inviteRevoked },
  invite_bound: { status: 409, text: texts.codeRequired },
  code_invalid: { status: 403, text: texts.codeInvalid },
  code_locked: { status: 429, text: 'Too many wrong codes. Please wait 15 minutes.' },
  code_void: {
    status: 403,
    text: 'This code is no longer valid. Make a new one on your first device.',
  },
  conversation_closed: { status: 409, text: texts.closedTitle },
  /** The same client id was used before, with different content. */
  id_reused: { status: 409, text: 'This message id was used for another message' },
  /** A colleague answered after the last message that the sender had seen. */
  reply_outdated: { status: 409, text: 'Someone else answered meanwhile' },
  shortcut_taken: { status: 409, text: 'There is a saved reply with this shortcut already' },
  image_type: { status: 415, text: texts.imageWrongType },
  image_size: { status: 413, text: texts.imageTooLarge },
  /** 50 images or 200 MB within a day. */
  image_limit: { status: 403, text: 'That is enough images for today. Please send more tomorrow.' },
  /** Not of the declared type, damaged, or not uploaded by this sender. */
  media_refused: { status: 422, text: 'This image cannot be sent' },
  /** The address does not belong to a push service that this installation allows. */
  push_refused: { status: 422, text: 'This push service is not supported' },
  too_many: { status: 429, text: 'Too many requests. Please slow down.' },
  unavailable: { status: 503, text: 'The service is busy. Please try again.' },
} as const satisfies Record<ErrorCode, ErrorEntry>;

/** The answer to every refused call, besides the additional fields that the call declares. */
export const Refusal = v.object({ success: v.literal(false), error: v.string(), code: ErrorCode });
export type Refusal = v.InferOutput<typeof Refusal>;
