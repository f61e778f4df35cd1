import * as v from 'valibot';
import { Brand } from '../model/brand.ts';
import { DisplayName } from '../model/displayName.ts';
import { Uuid } from '../model/ids.ts';
import { InviteState } from '../model/invite.ts';
import { VisitorProfile } from '../model/visitor.ts';
import { call, idToken, nextIdToken } from './call.ts';

/** Required by the specification. It gives no protection, and nothing relies on it. */
const csrf = v.pipe(v.string(), v.regex(/^[0-9]{1,16}$/, 'must be a timestamp'));
const inviteToken = v.pipe(v.string(), v.maxLength(64));

/**
 * `checkInvite`, `claimInvite` and `attachInvite` follow the specification exactly. Their refusals have the fields of
 * their answers.
 */
export const visitorCalls = {
  signInAnonymously: call({
    route: 'POST /auth/anonymous',
    summary: 'Create a visitor, or continue as the visitor of the cookie.',
    auth: 'cookie',
    cookie: 'visitor',
    rate: ['strangerCalls', 'newVisitors'],
    answer: { visitorId: Uuid, ...idToken },
  }),
  checkInvite: call({
    route: 'GET /checkInvite/:token',
    summary: 'Look up an invite by its token. Changes nothing.',
    auth: 'none',
    rate: ['strangerCalls', 'lookups'],
    refusals: ['invite_not_found', 'invite_expired', 'invite_revoked'],
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
  /** A person pressed Start chat: NEW becomes SEEN. Link previews do not make this call. */
  seeInvite: call({
    route: 'POST /seeInvite',
    summary: 'Report that a person opened the invite.',
    auth: 'visitor',
    rate: ['claims'],
    refusals: ['invite_not_found', 'invite_expired', 'invite_revoked'],
    body: { token: inviteToken },
    /** `cookie`: whether this browser sent the cookie of its sign-in. Without the cookie it would lose its access. */
    answer: { cookie: v.optional(v.boolean()) },
  }),
  claimInvite: call({
    route: 'POST /claimInvite',
    summary:
      'Start the conversation of an invite. An invite can be claimed once; a retry by the same visitor returns the same conversation.',
    auth: 'visitor',
    rate: ['claims'],
    refusals: ['invite_not_found', 'invite_expired', 'invite_revoked', 'invite_bound'],
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
  attachInvite: call({
    route: 'POST /attachInvite',
    summary: 'Continue a conversation on another device with its four-digit code.',
    auth: 'visitor',
    rate: ['claims', 'codes', 'linkcodes'],
    refusals: ['invite_not_found', 'invite_revoked', 'code_invalid', 'code_locked', 'code_void'],
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
  readBrand: call({
    route: 'GET /brand',
    summary:
      'Read the public profile and whether staff are online. With an invite, the profile of its desk; without a valid one, the first profile.',
    auth: 'none',
    query: { invite: v.optional(v.string()) },
    answer: { brand: Brand, online: v.boolean() },
  }),
  readProfile: call({
    route: 'GET /visitorProfile',
    summary: 'Read the visitor’s profile; null if there is none.',
    auth: 'visitor',
    answer: { profile: v.nullable(VisitorProfile) },
  }),
  saveProfile: call({
    route: 'PUT /visitorProfile',
    summary: 'Set the visitor’s display name.',
    auth: 'visitor',
    rate: ['renames'],
    refusals: ['not_found'],
    body: { displayName: DisplayName },
    answer: { profile: VisitorProfile },
  }),
} as const;
