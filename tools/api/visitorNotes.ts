import type { AreaNotes } from './callers.ts';

/** Calls for visitors. Staff use some of them too. */
export const visitorNotes = {
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
