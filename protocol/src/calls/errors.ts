import * as v from 'valibot';
import { peopleTexts } from '../texts/peopleTexts.ts';
import { texts } from '../texts/texts.ts';
import { ErrorCode } from './errorCodes.ts';

type ErrorEntry = { status: number; text: string };

/**
 * What each refusal answers over HTTP, and what a person may read. docs/protocol.md lists them, and a test compares
 * the two. Apart from the codes, whose texts a visitor's page need not carry: the server sends them.
 */
export const errors = {
  bad_request: { status: 400, text: 'The request is not understood' },
  unauthenticated: { status: 401, text: texts.notAuthenticated },
  sign_in_failed: { status: 401, text: texts.signInFailed },
  access_denied: { status: 403, text: texts.accessDenied },
  /** An administrator without a second factor, asking for anything but to set one up. */
  second_factor_required: { status: 403, text: 'Set up a second factor first' },
  second_factor_failed: { status: 401, text: 'That code is not right. Please try again.' },
  /** What changes how one signs in asks for the password again, some minutes after it was shown. */
  password_required: { status: 403, text: 'Enter your password again' },
  /** There is an administrator already: nobody can become the first one any more. */
  setup_done: { status: 409, text: 'This installation is set up already' },
  /** A one-time link that was used, replaced, or has ended. */
  link_void: { status: 410, text: 'This link was used or has ended. Ask your administrator for a new one.' },
  email_taken: { status: 409, text: peopleTexts.emailTaken },
  /** Nobody would be left who may administrate. */
  last_admin: { status: 409, text: peopleTexts.lastAdmin },
  /** Open conversations or unused invites would be left at a desk with nobody. */
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
  /** The same client id arrived before with other content. */
  id_reused: { status: 409, text: 'This message id was used for another message' },
  /** Somebody else at the desk answered after what this writer had seen. */
  reply_outdated: { status: 409, text: 'Someone else answered meanwhile' },
  shortcut_taken: { status: 409, text: 'There is a saved reply with this shortcut already' },
  image_type: { status: 415, text: texts.imageWrongType },
  image_size: { status: 413, text: texts.imageTooLarge },
  /** 50 images or 200 MB within a day. */
  image_limit: { status: 403, text: 'That is enough images for today. Please send more tomorrow.' },
  /** Not what it said it is, broken, or not this sender's to send. */
  media_refused: { status: 422, text: 'This image cannot be sent' },
  /** Not an address of a push service that this installation sends to. */
  push_refused: { status: 422, text: 'This push service is not supported' },
  too_many: { status: 429, text: 'Too many requests. Please slow down.' },
  unavailable: { status: 503, text: 'The service is busy. Please try again.' },
} as const satisfies Record<ErrorCode, ErrorEntry>;

/** What every refused call answers, besides the fields its own answer names. */
export const Refusal = v.object({ success: v.literal(false), error: v.string(), code: ErrorCode });
export type Refusal = v.InferOutput<typeof Refusal>;
