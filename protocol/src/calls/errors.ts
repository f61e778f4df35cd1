import * as v from 'valibot';
import { ErrorCode } from '../model/errorCodes.ts';
import { errorTexts } from '../texts/errorTexts.ts';
import { peopleTexts } from '../texts/peopleTexts.ts';
import { texts } from '../texts/texts.ts';

type ErrorEntry = { status: number; text: string };

/**
 * HTTP status and text of each refusal. docs/protocol.md lists them; a test compares the two. Separate from the codes,
 * because the server sends the texts and the visitor's page does not need them.
 */
export const errors = {
  bad_request: { status: 400, text: errorTexts.badRequest },
  unauthenticated: { status: 401, text: texts.notAuthenticated },
  sign_in_failed: { status: 401, text: texts.signInFailed },
  access_denied: { status: 403, text: texts.accessDenied },
  /** An administrator without a second factor can only set one up. */
  second_factor_required: { status: 403, text: errorTexts.secondFactorRequired },
  second_factor_failed: { status: 401, text: errorTexts.secondFactorFailed },
  /** Changes to how a person signs in need a recently entered password. */
  password_required: { status: 403, text: errorTexts.passwordRequired },
  /** The installation already has an administrator. */
  setup_done: { status: 409, text: errorTexts.setupDone },
  /** A one-time link that was used or replaced, or has expired. */
  link_void: { status: 410, text: errorTexts.linkVoid },
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
  code_locked: { status: 429, text: errorTexts.codeLocked },
  code_void: { status: 403, text: errorTexts.codeVoid },
  conversation_closed: { status: 409, text: texts.closedTitle },
  /** The same client id was used before, with different content. */
  id_reused: { status: 409, text: errorTexts.idReused },
  /** A colleague answered after the last message that the sender had seen. */
  reply_outdated: { status: 409, text: errorTexts.replyOutdated },
  shortcut_taken: { status: 409, text: errorTexts.shortcutTaken },
  image_type: { status: 415, text: texts.imageWrongType },
  image_size: { status: 413, text: texts.imageTooLarge },
  /** 50 images or 200 MB within a day. */
  image_limit: { status: 403, text: errorTexts.imageLimit },
  /** Not of the declared type, damaged, or not uploaded by this sender. */
  media_refused: { status: 422, text: errorTexts.mediaRefused },
  /** The address does not belong to a push service that this installation allows. */
  push_refused: { status: 422, text: errorTexts.pushRefused },
  too_many: { status: 429, text: errorTexts.tooMany },
  unavailable: { status: 503, text: errorTexts.unavailable },
} as const satisfies Record<ErrorCode, ErrorEntry>;

/** The answer to every refused call, besides the additional fields that the call declares. */
export const Refusal = v.object({ success: v.literal(false), error: v.string(), code: ErrorCode });
export type Refusal = v.InferOutput<typeof Refusal>;
