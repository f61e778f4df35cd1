import * as v from 'valibot';
import { Brand } from '../model/brand.ts';
import { Conversation } from '../model/conversation.ts';
import { DisplayName } from '../model/displayName.ts';
import { Seq, Time, Uuid } from '../model/ids.ts';
import { InviteState } from '../model/invite.ts';
import { MESSAGE_PAGE, Message, MessageText } from '../model/message.ts';
import { VisitorProfile } from '../model/visitor.ts';
import { call, idToken, nextIdToken } from './call.ts';

/** Required by the specification. It gives no protection, and nothing relies on it. */
const csrf = v.pipe(v.string(), v.regex(/^[0-9]{1,16}$/, 'must be a timestamp'));
const inviteToken = v.pipe(v.string(), v.maxLength(64));

/** A page of history: older than `before`, newer than `after`, or the newest messages without either. */
const pageQuery = {
  before: v.optional(v.pipe(v.string(), v.toNumber(), Seq)),
  after: v.optional(v.pipe(v.string(), v.toNumber(), Seq)),
  limit: v.optional(v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1), v.maxValue(MESSAGE_PAGE))),
};

/** Every call of the visitor's page. Staff use some of them too. */
export const visitorCalls = {
  // Signing in
  signInAnonymously: call('POST', '/auth/anonymous', 'cookie', { answer: { visitorId: Uuid, ...idToken } }),
  // Invites: these three calls follow the specification exactly. Their refusals have the same fields
  checkInvite: call('GET', '/checkInvite/:token', 'none', {
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
  claimInvite: call('POST', '/claimInvite', 'visitor', {
    body: { token: inviteToken, csrf },
    refused: { conversationId: null, continueCode: null },
    answer: v.object({
      success: v.boolean(),
      conversationId: v.nullable(Uuid),
      continueCode: v.nullable(v.string()),
      error: v.nullable(v.string()),
      ...nextIdToken,
    }),
  }),
  attachInvite: call('POST', '/attachInvite', 'visitor', {
    body: { token: inviteToken, code: v.pipe(v.string(), v.maxLength(16)), csrf },
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
  seeInvite: call('POST', '/seeInvite', 'visitor', {
    body: { token: inviteToken },
    /** `cookie`: whether this browser sent the cookie of its sign-in. Without the cookie it would lose its access. */
    answer: { cookie: v.optional(v.boolean()) },
  }),
  // The public profile
  readBrand: call('GET', '/brand', 'none', { answer: { brand: Brand, online: v.boolean() } }),
  // The visitor
  readProfile: call('GET', '/visitorProfile', 'visitor', { answer: { profile: v.nullable(VisitorProfile) } }),
  saveProfile: call('PUT', '/visitorProfile', 'visitor', {
    body: { displayName: DisplayName },
    answer: { profile: VisitorProfile },
  }),
  nameVisitor: call('PUT', '/conversations/:id/visitorName', 'visitor', {
    body: { visitorName: DisplayName },
    answer: { conversation: Conversation },
  }),
  /** Creates a new continue code. The old one stops working, and its failures are reset. */
  renewCode: call('POST', '/conversations/:id/continueCode', 'any', { answer: { continueCode: v.string() } }),
  // Conversations
  readConversation: call('GET', '/conversations/:id', 'any', { answer: { conversation: Conversation } }),
  readMessages: call('GET', '/conversations/:id/messages', 'any', {
    query: pageQuery,
    answer: { messages: v.array(Message), head: Seq },
  }),
  /** The same action as the `send` frame, for a page without a socket. */
  sendMessage: call('POST', '/conversations/:id/messages', 'any', {
    body: { id: Uuid, text: MessageText, after: v.optional(Seq) },
    answer: { seq: Seq, createdAt: Time },
  }),
} as const;
