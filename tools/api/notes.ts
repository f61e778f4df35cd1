// What the schemas cannot express about a call: its area, its purpose and its refusals. And the addresses that are no calls.
import type { ErrorCode } from '../../protocol/src/calls/errorCodes.ts';
import type { CallName } from '../../protocol/src/calls/http.ts';

type CallNote = {
  summary: string;
  /** In addition to those that follow from the caller, the path, the body and an outage: see refusals.ts. */
  refused?: readonly ErrorCode[];
  /** The cookie that authenticates the caller. */
  cookie?: 'visitorCookie' | 'staffCookie';
};
type AreaNotes = Record<string, Partial<Record<CallName, CallNote>>>;

/** Calls for visitors. Staff use some of them too. */
const visitorNotes = {
  'Visitors and invites': {
    signInAnonymously: {
      summary: 'Create a visitor, or continue as the visitor of the cookie.',
      cookie: 'visitorCookie',
    },
    checkInvite: {
      summary: 'Look up an invite by its token. Changes nothing.',
      refused: ['invite_not_found', 'invite_expired', 'invite_revoked'],
    },
    seeInvite: {
      summary: 'Report that a person opened the invite.',
      refused: ['invite_not_found', 'invite_expired', 'invite_revoked'],
    },
    claimInvite: {
      summary:
        'Start the conversation of an invite. An invite can be claimed once; a retry by the same visitor returns the same conversation.',
      refused: ['invite_not_found', 'invite_expired', 'invite_revoked', 'invite_bound'],
    },
    attachInvite: {
      summary: 'Continue a conversation on another device with its four-digit code.',
      refused: ['invite_not_found', 'invite_revoked', 'code_invalid', 'code_locked', 'code_void'],
    },
    readBrand: { summary: 'Read the public profile and whether staff are online.' },
    readProfile: { summary: 'Read the visitor’s profile; null if there is none.' },
    saveProfile: { summary: 'Set the visitor’s display name.', refused: ['not_found'] },
  },
  Conversations: {
    readConversation: { summary: 'Read a conversation without its messages.' },
    readMessages: { summary: 'Read a page of messages: before a number, after one, or the newest.' },
    sendMessage: {
      summary: 'Send a message. The client chooses the id, so a retry does not store it twice.',
      refused: ['conversation_closed', 'id_reused', 'reply_outdated'],
    },
    nameVisitor: { summary: 'Set the visitor’s name in this conversation.' },
    renewCode: { summary: 'Create a new continue code for another device.', refused: ['access_denied'] },
    readDevices: {
      summary: 'List the devices of a conversation. For its first device and for staff.',
      refused: ['access_denied'],
    },
    removeDevice: {
      summary: 'Remove a device. It is signed out at once.',
      refused: ['access_denied'],
    },
    exportOwn: {
      summary: 'Export the caller’s conversation, a page at a time.',
    },
    eraseOwn: {
      summary: 'Erase the caller’s conversation permanently.',
      refused: ['access_denied'],
    },
  },
  Images: {
    beginUpload: {
      summary: 'Begin an upload. Returns the address to PUT the file to.',
      refused: ['conversation_closed', 'image_type', 'image_size', 'image_limit', 'id_reused'],
    },
    finishUpload: {
      summary: 'Finish an upload and wait until the image is processed.',
    },
    cancelUpload: { summary: 'Remove an image that no message contains.' },
    readMedia: { summary: 'Get an address of an image. It is valid for five minutes.' },
    sendMedia: {
      summary: 'Send an image that is ready, as a message.',
      refused: ['conversation_closed', 'id_reused', 'reply_outdated', 'media_refused'],
    },
  },
  Notifications: {
    readPushKey: {
      summary: 'Read the key that a browser subscribes with; null if notifications are off.',
    },
    savePush: {
      summary: 'Store this browser’s push subscription, or confirm that it is still in use.',
      refused: ['push_refused', 'access_denied'],
    },
    dropPush: { summary: 'Remove a push subscription. The answer is the same whether or not it existed.' },
    testPush: {
      summary: 'Send a test notification to this browser.',
      refused: ['push_refused'],
    },
  },
  'E-mail': {
    readReplyMail: { summary: 'Read the address for mails about replies. Most of it is hidden.' },
    saveReplyMail: {
      summary: 'Leave an address for mails about replies. A code is sent there.',
      refused: ['access_denied', 'conversation_closed'],
    },
    confirmReplyMail: {
      summary: 'Confirm the address with the code.',
      refused: ['code_invalid', 'code_void'],
    },
    dropReplyMail: { summary: 'Delete the address. The answer is the same whether or not there was one.' },
  },
} as const satisfies AreaNotes;

/** Refusals of every change of a factor. */
const factor = ['password_required', 'second_factor_required'] as const;

/** Calls for staff: at the desk and for their own account. */
const staffNotes = {
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

/** Calls for administrators only. */
const adminNotes = {
  'Administrators: the installation': {
    readFirstSteps: { summary: 'Read which setup steps are done.' },
    readCounts: { summary: 'Read the number of open conversations and of handlers.' },
    readProfileSettings: { summary: 'Read the public profile and its settings.' },
    saveProfileSettings: { summary: 'Change the public profile or its settings.' },
    setAvatar: {
      summary: 'Set the avatar of the profile. The body is an image file.',
      refused: ['image_type', 'image_size', 'media_refused'],
    },
    removeAvatar: { summary: 'Remove the avatar of the profile.' },
    readMailFigures: {
      summary: 'Read how many mails were sent and refused; null if the installation sends none.',
    },
    readDashboard: { summary: 'Read the figures of the dashboard.' },
    readAudit: { summary: 'Read the audit log, newest first, a page at a time.' },
    readAuditChoices: { summary: 'Read the actors and actions in the audit log, for its filters.' },
  },
  'Administrators: staff members': {
    readPeople: { summary: 'Read the staff members, a page at a time.' },
    addPerson: {
      summary: 'Add a staff member. Returns the link to set a password.',
      refused: ['email_taken', 'password_required'],
    },
    changePerson: {
      summary: 'Change a staff member.',
      refused: ['email_taken', 'last_admin', 'desk_in_use', 'password_required'],
    },
    deactivatePerson: {
      summary: 'Deactivate a staff member and end their sessions.',
      refused: ['last_admin', 'desk_in_use'],
    },
    activatePerson: { summary: 'Activate a staff member again.', refused: ['password_required'] },
    makePasswordLink: {
      summary: 'Create a one-time link to set a password.',
      refused: ['password_required'],
    },
    signOutEverywhere: { summary: 'End all sessions of a staff member.' },
    resetFactor: { summary: 'Remove a lost second factor.', refused: ['password_required'] },
    readLeaving: { summary: 'Read the work at the desk of a staff member who is about to leave.' },
    readLeftDesks: { summary: 'Read the desks that have conversations but no handler.' },
    readDeskHours: { summary: 'Read the desks and their opening hours.' },
    saveDeskHours: {
      summary: 'Set or remove the opening hours of a desk. Outside them visitors see the away message.',
      refused: ['not_found'],
    },
    moveDesk: {
      summary:
        'Move a batch of conversations and invites from one desk to another. Repeat until none is left.',
    },
  },
  'Administrators: invites': {
    readInvites: { summary: 'Read the invites, newest first, a page at a time.' },
    createInvites: {
      summary: 'Create up to 500 invites. Only this response contains the links.',
      refused: ['id_reused'],
    },
    revokeInvites: {
      summary:
        'Revoke invites. Their visitors lose access. With an API key, only invites that this key created are revoked.',
    },
    replaceLink: {
      summary: 'Create a new link for an invite. The old link stops working.',
      refused: ['invite_revoked'],
    },
    resetCode: {
      summary: 'Create a new continue code for a conversation that has started.',
      refused: ['invite_revoked'],
    },
    updateInvite: {
      summary: 'Change an invite’s label, days to keep or expiry.',
      refused: ['invite_revoked'],
    },
  },
  'Administrators: conversations': {
    searchMessages: {
      summary: 'Search the messages of every desk. The audit log records the search, but not its text.',
    },
    listConversations: { summary: 'List the conversations of every desk, a page at a time.' },
    reassignMany: { summary: 'Move up to 500 conversations to a desk.' },
    closeMany: { summary: 'Close up to 500 conversations.' },
    exportConversation: { summary: 'Read all of a conversation, a page at a time.' },
    eraseConversation: { summary: 'Erase a conversation permanently.' },
    countExpired: { summary: 'Count the conversations that a shorter retention period would erase.' },
  },
  'Administrators: API keys': {
    readApiKeys: { summary: 'Read the API keys. Their secrets are not stored.' },
    createApiKey: {
      summary: 'Create an API key. Only this response contains it.',
      refused: ['password_required'],
    },
    revokeApiKey: { summary: 'Revoke an API key. It is refused from the next request on.' },
  },
  'Administrators: webhooks': {
    readWebhooks: { summary: 'Read the webhooks.' },
    createWebhook: {
      summary: 'Add a webhook. Only this response contains its secret.',
      refused: ['password_required'],
    },
    changeWebhook: { summary: 'Change, pause or resume a webhook.', refused: ['password_required'] },
    deleteWebhook: { summary: 'Delete a webhook and its deliveries.' },
    rotateWebhookSecret: {
      summary: 'Replace the secret of a webhook. Both secrets sign for 24 hours.',
      refused: ['password_required'],
    },
    readDeliveries: { summary: 'Read the deliveries of a webhook, newest first, a page at a time.' },
    resendDelivery: { summary: 'Send an event again.' },
  },
} as const satisfies AreaNotes;

/** By area, in the order of the description. */
export const areas = { ...visitorNotes, ...staffNotes, ...adminNotes } as const;

type Areas = typeof areas;
type Described = { [A in keyof Areas]: keyof Areas[A] }[keyof Areas];

/** Does not compile while a call has no note: add a line for it above. */
export const notes: Record<CallName, CallNote> = Object.assign({}, ...Object.values(areas)) as Record<
  Described,
  CallNote
>;

type OtherPath = { path: string; methods: readonly string[]; what: string };

const get = (path: string, what: string): OtherPath => ({ path, methods: ['GET'], what });

/** Addresses that are not calls. A test compares the list with the routes of the server. */
export const otherPaths: readonly OtherPath[] = [
  get('/', 'The landing page.'),
  get(
    '/i/{token}',
    'A visitor’s chat. The page is the same for every token; opening it does not use the invite.',
  ),
  get('/chat', 'The chat that this browser has already opened.'),
  get('/handler', 'The console, and every address below it.'),
  get('/handler-test', 'Checks what the console needs from the browser.'),
  get('/admin', 'The admin area, and every address below it.'),
  get('/auth/staff/sso', 'Leads a browser to the provider for single sign-on, if there is one.'),
  get(
    '/auth/staff/sso/callback',
    'The way back from the provider. Opens a session and leads to the console.',
  ),
  get('/i/{token}/manifest.webmanifest', 'Web app manifests: also /chat/… and /handler/….'),
  get('/assets/{file}', 'Scripts, styles and fonts of the pages, named by their content.'),
  get('/sw.js', 'The service worker.'),
  get('/robots.txt', 'And the icons: /favicon.svg, /favicon-unread.svg, /apple-touch-icon.png, /icon-….png.'),
  get('/brand/avatar/{id}', 'The avatar of the public profile. A new avatar has a new id.'),
  {
    path: '/mail/off/{token}',
    methods: ['GET', 'POST'],
    what: 'Ends the mails to a visitor (RFC 8058). GET shows a page with a button. The token is in the mail.',
  },
  {
    path: '/media/{path}',
    methods: ['GET', 'PUT'],
    what: 'Images, if the installation has no S3. Needs an address that `beginUpload` or `readMedia` signed.',
  },
  get('/live', 'The WebSocket: see docs/protocol.md.'),
];
