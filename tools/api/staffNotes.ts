import {
  CODE_FAILURES,
  CODE_FAILURES_PER_DAY,
  PASSWORD_FAILURES,
  SETUP_WINDOW_SECONDS,
  SETUPS_PER_ADDRESS,
  SIGN_IN_FAILURES,
  SIGN_IN_FAILURES_PER_ADDRESS,
  SIGN_IN_WINDOW_SECONDS,
} from '../../server/src/auth/rateLimits.ts';
import type { AreaNotes } from './callers.ts';
import { lookups } from './visitorNotes.ts';

const minutes = (seconds: number) => `${seconds / 60} minutes`;
const window = minutes(SIGN_IN_WINDOW_SECONDS);
const ownPassword = `${PASSWORD_FAILURES} wrong passwords in ${window}`;

/** What every change of a factor asks for. */
const factor = ['password_required', 'second_factor_required'] as const;

/** What members of staff ask: at their desks, and about themselves. */
export const staffNotes = {
  'Signing in': {
    signInStaff: {
      summary:
        'Sign a member of staff in by e-mail and password; with a second factor this is the first of two steps.',
      refused: ['sign_in_failed', 'access_denied', 'too_many'],
      rate: `${SIGN_IN_FAILURES} failures per account and address, ${SIGN_IN_FAILURES_PER_ADDRESS} per address, in ${window}`,
    },
    confirmSignIn: {
      summary: 'Show the second factor, and be signed in.',
      refused: ['sign_in_failed', 'second_factor_failed', 'access_denied', 'too_many'],
      rate: `${CODE_FAILURES} wrong codes per account in ${window}, ${CODE_FAILURES_PER_DAY} in a day; ${SIGN_IN_FAILURES_PER_ADDRESS} failures per address in ${window}`,
    },
    refreshStaff: {
      summary: 'Get a fresh ID token by the cookie.',
      refused: ['unauthenticated'],
      cookie: 'staffCookie',
    },
    signOutStaff: { summary: 'End the session of the cookie.', cookie: 'staffCookie' },
    openPasswordLink: {
      summary: 'See whose one-time password link this is. It is not spent by that.',
      refused: ['link_void', 'too_many'],
      rate: lookups,
    },
    choosePassword: {
      summary: 'Choose a password by a one-time link.',
      refused: ['link_void', 'too_many'],
      rate: lookups,
    },
    readSetup: { summary: 'Read whether the installation still waits for its first administrator.' },
    setUp: {
      summary: 'Become the first administrator by the code that the server prints.',
      refused: ['setup_done', 'code_invalid', 'email_taken', 'access_denied', 'too_many'],
      rate: `${SETUPS_PER_ADDRESS} tries per address in ${minutes(SETUP_WINDOW_SECONDS)}`,
    },
  },
  'At the desk': {
    readQueue: { summary: 'Read the open conversations of one’s desk, newest first.' },
    readClosed: { summary: 'Read what was closed or blocked at one’s desk, a page at a time.' },
    readHandler: { summary: 'Read one’s own record as a handler.', refused: ['not_found'] },
    setAvailability: { summary: 'Say that one is away, or there again.' },
    setStatus: {
      summary: 'Close, reopen, block or unblock a conversation.',
      refused: ['not_found', 'conversation_closed'],
    },
    markUnread: {
      summary: 'Mark a conversation as unread, or no longer.',
      refused: ['not_found', 'conversation_closed'],
    },
    snooze: {
      summary: 'Hide a conversation from the queue until a time or the visitor’s next message.',
      refused: ['not_found', 'conversation_closed'],
    },
    readDetails: {
      summary: 'Read what staff know of a conversation besides its messages.',
      refused: ['not_found'],
    },
    readAuthors: {
      summary: 'Read who of the staff wrote the desk’s messages from one number to another.',
      refused: ['not_found'],
    },
    readNotes: { summary: 'Read the internal notes of a conversation.', refused: ['not_found'] },
    addNote: {
      summary: 'Add an internal note. Its id is the writer’s: asked twice, it is one note.',
      refused: ['not_found', 'id_reused'],
    },
    transfer: { summary: 'Hand a conversation over to another desk.', refused: ['not_found'] },
    readDesks: { summary: 'Read every desk where somebody works.' },
    readReplies: { summary: 'Read the saved replies: one’s own and the shared ones.' },
    saveReply: { summary: 'Make or change a saved reply.', refused: ['not_found', 'shortcut_taken'] },
    deleteReply: { summary: 'Delete a saved reply.', refused: ['not_found'] },
    search: {
      summary: 'Search names, invite labels and messages of one’s desk; an administrator, of every desk.',
      refused: ['too_many'],
    },
  },
  'One’s own account': {
    readAccount: { summary: 'Read one’s own account and its factors.' },
    confirmPassword: {
      summary: 'Show the password again, so that factors can be changed for some minutes.',
      refused: ['too_many'],
      rate: ownPassword,
    },
    changePassword: {
      summary: 'Change one’s password; every other session ends.',
      refused: ['too_many'],
      rate: ownPassword,
    },
    signOutElsewhere: { summary: 'End one’s other sessions.' },
    beginTotp: { summary: 'Begin to set up an authenticator app.', refused: factor },
    confirmTotp: {
      summary: 'Finish setting up the app by a code of it.',
      refused: [...factor, 'code_invalid'],
    },
    removeTotp: { summary: 'Remove the authenticator app.', refused: [...factor, 'not_found'] },
    beginPasskey: { summary: 'Begin to add a passkey.', refused: factor },
    addPasskey: { summary: 'Add the passkey that the browser made.', refused: factor },
    renamePasskey: { summary: 'Give a passkey another name.', refused: ['not_found'] },
    removePasskey: { summary: 'Remove a passkey.', refused: [...factor, 'not_found'] },
    renewRecoveryCodes: { summary: 'Make ten new recovery codes.', refused: factor },
  },
} as const satisfies AreaNotes;
