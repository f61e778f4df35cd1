import type { AreaNotes } from './callers.ts';

/** Refusals of every change of a factor. */
const factor = ['password_required', 'second_factor_required'] as const;

/** Calls for staff: at the desk and for their own account. */
export const staffNotes = {
  'Signing in': {
    signInStaff: {
      summary: 'Sign in by e-mail and password. With a second factor this is the first of two steps.',
      refused: ['sign_in_failed', 'access_denied'],
    },
    readSignIn: { summary: 'Read the name of the provider for single sign-on, if there is one.' },
    confirmSignIn: {
      summary: 'Confirm the second factor and finish signing in.',
      refused: ['sign_in_failed', 'second_factor_failed', 'access_denied'],
    },
    refreshStaff: {
      summary: 'Get a new ID token with the cookie.',
      refused: ['unauthenticated'],
      cookie: 'staffCookie',
    },
    signOutStaff: { summary: 'End the session of the cookie.', cookie: 'staffCookie' },
    openPasswordLink: {
      summary: 'Read which account a one-time password link belongs to. Does not use the link.',
      refused: ['link_void'],
    },
    choosePassword: {
      summary: 'Set a password with a one-time link.',
      refused: ['link_void'],
    },
    readSetup: { summary: 'Read whether the installation still needs its first administrator.' },
    setUp: {
      summary: 'Create the first administrator with the code that the server prints.',
      refused: ['setup_done', 'code_invalid', 'email_taken', 'access_denied'],
    },
  },
  'At the desk': {
    readQueue: { summary: 'Read the open conversations of the desk, newest first.' },
    readClosed: { summary: 'Read the closed and blocked conversations of the desk, a page at a time.' },
    readHandler: { summary: 'Read the caller’s handler record.', refused: ['not_found'] },
    setAvailability: { summary: 'Set the caller to away or available.' },
    setStatus: {
      summary: 'Close, reopen, block or unblock a conversation.',
      refused: ['conversation_closed'],
    },
    markUnread: { summary: 'Mark a conversation as unread or read.', refused: ['conversation_closed'] },
    snooze: {
      summary: 'Hide a conversation from the queue until a time or the visitor’s next message.',
      refused: ['conversation_closed'],
    },
    readDetails: { summary: 'Read the details of a conversation that only staff see.' },
    readAuthors: { summary: 'Read which staff members wrote the desk’s messages in a range.' },
    readNotes: { summary: 'Read the internal notes of a conversation.' },
    addNote: {
      summary: 'Add an internal note. The client chooses the id, so a retry adds no second note.',
      refused: ['id_reused'],
    },
    transfer: { summary: 'Move a conversation to another desk.' },
    readDesks: { summary: 'Read every desk that has a handler.' },
    readReplies: { summary: 'Read the caller’s saved replies and the shared ones.' },
    saveReply: { summary: 'Create or change a saved reply.', refused: ['shortcut_taken'] },
    deleteReply: { summary: 'Delete a saved reply.' },
    search: {
      summary: 'Search names, invite labels and messages of the desk. Administrators search every desk.',
    },
  },
  'Own account': {
    readAccount: { summary: 'Read the caller’s account and factors.' },
    confirmPassword: {
      summary: 'Confirm the password. Allows changes of factors for some minutes.',
    },
    changePassword: {
      summary: 'Change the caller’s password and end all other sessions.',
    },
    endSession: { summary: 'End one of the caller’s other sessions.', refused: ['not_found'] },
    saveLanguage: { summary: 'Choose the caller’s language, for every browser and for mails.' },
    saveWaitingMail: {
      summary: 'Turn mails about waiting visitors on or off, for the caller.',
    },
    signOutElsewhere: { summary: 'End the caller’s other sessions.' },
    beginTotp: { summary: 'Begin to set up an authenticator app.', refused: factor },
    confirmTotp: {
      summary: 'Finish setting up the authenticator app with one of its codes.',
      refused: [...factor, 'code_invalid'],
    },
    removeTotp: { summary: 'Remove the authenticator app.', refused: [...factor, 'not_found'] },
    beginPasskey: { summary: 'Begin to add a passkey.', refused: factor },
    addPasskey: { summary: 'Add the passkey that the browser created.', refused: factor },
    renamePasskey: { summary: 'Rename a passkey.' },
    removePasskey: { summary: 'Remove a passkey.', refused: factor },
    renewRecoveryCodes: { summary: 'Create ten new recovery codes.', refused: factor },
  },
} as const satisfies AreaNotes;
