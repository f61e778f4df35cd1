import {
  ERASINGS_PER_MINUTE,
  EXPORT_CALLS_PER_MINUTE,
  PUSH_TEST_SECONDS,
  UPLOAD_CALLS_PER_MINUTE,
} from '../../server/src/auth/rateLimits.ts';
import { keys } from '../../server/src/config/config.ts';
import type { AreaNotes } from './callers.ts';

/** Settings of the installation, with what they are where nobody set them. */
export const lookups = `${keys.LOOKUPS_PER_MINUTE.fallback} a minute per address (LOOKUPS_PER_MINUTE)`;
const codes = `${keys.CODES_PER_HOUR.fallback} codes an hour per address (CODES_PER_HOUR)`;
const uploads = `${UPLOAD_CALLS_PER_MINUTE} a minute per person`;

/** What a visitor can ask; staff use some of it too. */
export const visitorNotes = {
  'Visitors and invites': {
    signInAnonymously: {
      summary: 'Begin as a visitor, or go on as the one of this browser’s cookie.',
      cookie: 'visitorCookie',
    },
    checkInvite: {
      summary: 'Look an invite up by its token. Nothing is changed or spent.',
      refused: ['invite_not_found', 'invite_expired', 'invite_revoked', 'too_many'],
      rate: lookups,
    },
    seeInvite: {
      summary: 'Tell that a person opened the invite.',
      refused: ['invite_not_found', 'invite_expired', 'invite_revoked'],
    },
    claimInvite: {
      summary:
        'Start the conversation of an invite. It binds once; asked again by the same visitor, it is the same.',
      refused: ['invite_not_found', 'invite_expired', 'invite_revoked', 'invite_bound'],
    },
    attachInvite: {
      summary: 'Continue a conversation on another device by its four-digit code.',
      refused: ['invite_not_found', 'invite_revoked', 'code_invalid', 'code_locked', 'code_void', 'too_many'],
      rate: codes,
    },
    readBrand: { summary: 'Read the public profile, and whether somebody is there.' },
    readProfile: { summary: 'Read the visitor’s own profile; null before there is one.' },
    saveProfile: { summary: 'Set the visitor’s display name.', refused: ['not_found'] },
  },
  Conversations: {
    readConversation: { summary: 'Read a conversation without its messages.', refused: ['not_found'] },
    readMessages: {
      summary: 'Read a page of messages: before a number, after one, or the newest.',
      refused: ['not_found'],
    },
    sendMessage: {
      summary: 'Send a message. Its id is the sender’s: sent again with the same id, it is stored once.',
      refused: ['not_found', 'conversation_closed', 'id_reused', 'reply_outdated'],
    },
    nameVisitor: { summary: 'Set the visitor’s name in this conversation.', refused: ['not_found'] },
    renewCode: {
      summary: 'Make a new continue code for another device.',
      refused: ['not_found', 'access_denied'],
    },
    readDevices: {
      summary: 'List the devices of a conversation, for its first device and for staff.',
      refused: ['not_found', 'access_denied'],
    },
    removeDevice: {
      summary: 'Remove a device: it is signed out at once.',
      refused: ['not_found', 'access_denied', 'bad_request'],
    },
    exportOwn: {
      summary: 'Read all of one’s own conversation, a page at a time.',
      refused: ['not_found', 'too_many'],
      rate: `${EXPORT_CALLS_PER_MINUTE} a minute per visitor`,
    },
    eraseOwn: {
      summary: 'Delete one’s own conversation, for ever.',
      refused: ['not_found', 'access_denied', 'too_many'],
      rate: `${ERASINGS_PER_MINUTE} a minute per visitor`,
    },
  },
  Images: {
    beginUpload: {
      summary: 'Announce an image, and get the address to PUT its bytes to.',
      refused: [
        'not_found',
        'conversation_closed',
        'image_type',
        'image_size',
        'image_limit',
        'id_reused',
        'too_many',
      ],
      rate: uploads,
    },
    finishUpload: {
      summary: 'Tell that the bytes are there, and wait for the picture.',
      refused: ['not_found', 'too_many'],
      rate: uploads,
    },
    cancelUpload: { summary: 'Take an image back that no message carries.', refused: ['not_found'] },
    readMedia: { summary: 'Get an address that shows an image for five minutes.', refused: ['not_found'] },
    sendMedia: {
      summary: 'Send an image that is ready, as a message of its own.',
      refused: ['not_found', 'conversation_closed', 'id_reused', 'reply_outdated', 'media_refused'],
    },
  },
  Notifications: {
    readPushKey: {
      summary: 'Read the key that a browser subscribes with; null where there are no notifications.',
    },
    savePush: {
      summary: 'Store this browser’s push subscription, or tell that it is still in use.',
      refused: ['push_refused', 'access_denied'],
    },
    dropPush: { summary: 'Forget a push subscription. The same answer whether or not there was one.' },
    testPush: {
      summary: 'Send a test notification to this browser.',
      refused: ['push_refused', 'too_many'],
      rate: `one every ${PUSH_TEST_SECONDS} s per person`,
    },
  },
} as const satisfies AreaNotes;
