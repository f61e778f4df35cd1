import * as v from 'valibot';
import { Brand } from '../model/brand.ts';
import { Conversation } from '../model/conversation.ts';
import { Seq, Time, Uuid } from '../model/ids.ts';
import { InviteState } from '../model/invite.ts';
import { MESSAGE_PAGE, Message, MessageText } from '../model/message.ts';
import { DisplayName, VisitorProfile } from '../model/visitor.ts';
import { call, idToken, nextIdToken, none, success } from './call.ts';

/** Required by the specification. It gives no protection, and nothing relies on it. */
const csrf = v.pipe(v.string(), v.regex(/^[0-9]{1,16}$/, 'must be a timestamp'));
const inviteToken = v.pipe(v.string(), v.maxLength(64));

/** A page of history: older than `before`, newer than `after`, or the newest messages without either. */
const pageQuery = v.strictObject({
  before: v.optional(v.pipe(v.string(), v.toNumber(), Seq)),
  after: v.optional(v.pipe(v.string(), v.toNumber(), Seq)),
  limit: v.optional(v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1), v.maxValue(MESSAGE_PAGE))),
});

/** Every call of the visitor's page. Staff use some of them too. */
export const visitorCalls = {
  // Signing in
  signInAnonymously: call({
    method: 'POST',
    path: '/auth/anonymous',
    auth: 'cookie',
    body: none,
    query: none,
    answer: v.object({ success, visitorId: Uuid, ...idToken }),
  }),
  // Invites: these three calls follow the specification exactly. Their refusals have the same fields
  checkInvite: call({
    method: 'GET',
    path: '/checkInvite/:token',
    auth: 'none',
    body: none,
    query: none,
    refused: { exists: false, expired: false, revoked: false, state: null },
    answer: v.object({
      success: v.boolean(),
      exists: v.boolean(),
      expired: v.boolean(),
      revoked: v.boolean(),
      state: v.nullable(InviteState),
      error: v.nullable(v.string()),
    }),
  }),
  claimInvite: call({
    method: 'POST',
    path: '/claimInvite',
    auth: 'visitor',
    query: none,
    body: v.strictObject({ token: inviteToken, csrf }),
    refused: { conversationId: null, continueCode: null },
    answer: v.object({
      success: v.boolean(),
      conversationId: v.nullable(Uuid),
      continueCode: v.nullable(v.string()),
      error: v.nullable(v.string()),
      ...nextIdToken,
    }),
  }),
  attachInvite: call({
    method: 'POST',
    path: '/attachInvite',
    auth: 'visitor',
    query: none,
    body: v.strictObject({ token: inviteToken, code: v.pipe(v.string(), v.maxLength(16)), csrf }),
    refused: { conversationId: null, needsCode: false },
    answer: v.object({
      success: v.boolean(),
      conversationId: v.nullable(Uuid),
      needsCode: v.boolean(),
      error: v.nullable(v.string()),
      ...nextIdToken,
    }),
  }),
  /** A person pressed Start chat: NEW becomes SEEN. Link previews do not make this call. */
  seeInvite: call({
    method: 'POST',
    path: '/seeInvite',
    auth: 'visitor',
    query: none,
    body: v.strictObject({ token: inviteToken }),
    /** `cookie`: whether this browser sent the cookie of its sign-in. Without the cookie it would lose its access. */
    answer: v.object({ success, cookie: v.optional(v.boolean()) }),
  }),
  // The public profile
  readBrand: call({
    method: 'GET',
    path: '/brand',
    auth: 'none',
    body: none,
    query: none,
    answer: v.object({ success, brand: Brand, online: v.boolean() }),
  }),
  // The visitor
  readProfile: call({
    method: 'GET',
    path: '/visitorProfile',
    auth: 'visitor',
    body: none,
    query: none,
    answer: v.object({ success, profile: v.nullable(VisitorProfile) }),
  }),
  saveProfile: call({
    method: 'PUT',
    path: '/visitorProfile',
    auth: 'visitor',
    query: none,
    body: v.strictObject({ displayName: DisplayName }),
    answer: v.object({ success, profile: VisitorProfile }),
  }),
  nameVisitor: call({
    method: 'PUT',
    path: '/conversations/:id/visitorName',
    auth: 'visitor',
    query: none,
    body: v.strictObject({ visitorName: DisplayName }),
    answer: v.object({ success, conversation: Conversation }),
  }),
  /** Creates a new continue code. The old one stops working, and its failures are reset. */
  renewCode: call({
    method: 'POST',
    path: '/conversations/:id/continueCode',
    auth: 'any',
    body: none,
    query: none,
    answer: v.object({ success, continueCode: v.string() }),
  }),
  // Conversations
  readConversation: call({
    method: 'GET',
    path: '/conversations/:id',
    auth: 'any',
    body: none,
    query: none,
    answer: v.object({ success, conversation: Conversation }),
  }),
  readMessages: call({
    method: 'GET',
    path: '/conversations/:id/messages',
    auth: 'any',
    body: none,
    query: pageQuery,
    answer: v.object({ success, messages: v.array(Message), head: Seq }),
  }),
  /** The same action as the `send` frame, for a page without a socket. */
  sendMessage: call({
    method: 'POST',
    path: '/conversations/:id/messages',
    auth: 'any',
    query: none,
    body: v.strictObject({ id: Uuid, text: MessageText, after: v.optional(Seq) }),
    answer: v.object({ success, seq: Seq, createdAt: Time }),
  }),
} as const;
