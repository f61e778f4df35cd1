import { randomBytes, randomUUID } from 'node:crypto';
import { encryptAddress, hashMailCode } from '../../src/auth/mailSecrets.ts';
import { putPendingMail } from '../../src/db/mail/visitorMails.ts';
import { csrf, PASSWORD } from '../browser.ts';
import { accountRules } from './accountRules.ts';
import { type CallerName, OTHER_DESK } from './callers.ts';
import { manageRules } from './manageRules.ts';
import type { CallRules } from './rule.ts';
import type { Stage } from './stage.ts';

const chat = ({ conversationId }: Stage) => ({ id: conversationId });
const picture = ({ conversationId, mediaId }: Stage) => ({ id: conversationId, mediaId });
const sentPicture = ({ conversationId, sentMediaId }: Stage) => ({
  id: conversationId,
  mediaId: sentMediaId,
});
const file = () => ({ mediaId: randomUUID(), type: 'image/png', bytes: 9, fileName: 'cat.png' });
const words = () => ({ id: randomUUID(), text: 'hello' });
const newReply = () => ({ shortcut: `s${randomBytes(4).toString('hex')}`, text: 'Yes.', shared: false });

/** The endpoint that this caller has subscribed, if the caller may subscribe. */
async function subscribed({ people, newBrowser }: Stage, caller: CallerName): Promise<{ endpoint: string }> {
  const browser = newBrowser();
  await people[caller].call('PUT', '/push/subscription', browser);
  return { endpoint: browser.endpoint };
}

/** A code, as if the visitor had got it by e-mail. */
async function mailedCode({ server: { app }, people, conversationId }: Stage): Promise<{ code: string }> {
  const code = '123456';
  await putPendingMail(app.db, {
    conversationId,
    visitorId: people.visitor.browser.visitorId,
    pending: encryptAddress(app, conversationId, 'visitor@example.com'),
    codeHash: hashMailCode(app, conversationId, code),
    language: 'en',
  });
  return { code };
}

/** An administrator without a desk gets no notifications. */
const noDesk = (status: number) => ({ admin: status }) as const;

/** One line per call. A call that is not here fails the access matrix. */
export const callRules: CallRules = {
  // Signing in
  signInAnonymously: { who: 'everybody' },
  signInStaff: {
    who: 'everybody',
    body: ({ email }) => ({ email, password: PASSWORD }),
    withoutCookie: true,
  },
  readSignIn: { who: 'everybody' },
  refreshStaff: { who: 'staffCookie', body: () => ({ active: true }) },
  signOutStaff: { who: 'everybody', withoutCookie: true },

  // Invites and the public profile
  checkInvite: { who: 'everybody', params: ({ token }) => ({ token }) },
  seeInvite: { who: 'visitors', body: ({ freshToken }) => ({ token: freshToken }) },
  claimInvite: {
    who: 'visitors',
    body: ({ freshToken }) => ({ token: freshToken, csrf: csrf() }),
    spends: true,
  },
  attachInvite: { who: 'visitors', body: ({ token, code }) => ({ token, code, csrf: csrf() }), spends: true },
  readBrand: { who: 'everybody' },

  // The visitor
  readProfile: { who: 'visitors' },
  saveProfile: { who: 'visitors', body: () => ({ displayName: 'Visitor' }) },
  nameVisitor: { who: 'ownVisitor', params: chat, body: () => ({ visitorName: 'Visitor' }) },
  exportOwn: { who: 'ownVisitor', params: chat },
  eraseOwn: { who: 'ownVisitor', params: chat, spends: true },

  // Conversations
  renewCode: { who: 'bothSides', params: chat },
  readDevices: { who: 'bothSides', params: chat },
  // The device does not exist, so it counts as removed. Only access matters here.
  removeDevice: {
    who: 'bothSides',
    params: ({ conversationId }) => ({ id: conversationId, deviceId: 'none' }),
  },
  readConversation: { who: 'bothSides', params: chat },
  readMessages: { who: 'bothSides', params: chat },
  sendMessage: { who: 'bothSides', params: chat, body: words },
  beginUpload: { who: 'bothSides', params: chat, body: file },
  finishUpload: { who: 'sender', params: picture },
  cancelUpload: { who: 'sender', params: picture, spends: true },
  readMedia: { who: 'bothSides', params: sentPicture },
  // A caller with access to the conversation learns that this image is not theirs to send.
  sendMedia: {
    who: 'sender',
    but: { handler: 422, admin: 422 },
    params: picture,
    body: () => ({ id: randomUUID() }),
    spends: true,
  },

  // Notifications
  readPushKey: { who: 'everybody' },
  savePush: { who: 'persons', but: noDesk(403), body: ({ newBrowser }) => newBrowser() },
  dropPush: { who: 'persons', body: ({ newBrowser }) => ({ endpoint: newBrowser().endpoint }) },
  testPush: { who: 'persons', but: noDesk(422), body: subscribed },

  // E-mail
  readReplyMail: { who: 'ownVisitor', params: chat },
  saveReplyMail: {
    who: 'ownVisitor',
    params: chat,
    body: () => ({ address: `${randomUUID()}@example.com`, language: 'en' }),
  },
  confirmReplyMail: { who: 'ownVisitor', params: chat, body: mailedCode },
  dropReplyMail: { who: 'ownVisitor', params: chat },

  // Staff at their desks
  readQueue: { who: 'staff' },
  readClosed: { who: 'staff' },
  readDesks: { who: 'staff' },
  readHandler: { who: 'staff', but: noDesk(404) },
  setAvailability: { who: 'staff', body: () => ({ away: false }) },
  search: { who: 'staff', query: () => ({ q: 'hello' }) },
  setStatus: { who: 'ownDesk', params: chat, body: () => ({ status: 'closed' }), spends: true },
  markUnread: { who: 'ownDesk', params: chat, body: () => ({ unread: true }) },
  snooze: { who: 'ownDesk', params: chat, body: () => ({ until: Date.now() + 3_600_000 }) },
  readDetails: { who: 'ownDesk', params: chat },
  readAuthors: { who: 'ownDesk', params: chat, query: () => ({ from: '1', to: '50' }) },
  readNotes: { who: 'ownDesk', params: chat },
  addNote: { who: 'ownDesk', params: chat, body: words },
  transfer: { who: 'ownDesk', params: chat, body: () => ({ alias: OTHER_DESK, note: '' }), spends: true },
  readReplies: { who: 'staff' },
  saveReply: { who: 'staff', params: () => ({ id: randomUUID() }), body: newReply },
  // Only one's own replies exist for a handler. An administrator can delete any.
  deleteReply: {
    who: 'staff',
    but: { otherHandler: 404 },
    params: ({ replyId }) => ({ id: replyId }),
    spends: true,
  },

  ...accountRules,
  ...manageRules,
};
