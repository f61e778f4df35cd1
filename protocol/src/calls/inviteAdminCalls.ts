import * as v from 'valibot';
import { Time, Uuid } from '../model/ids.ts';
import { Line } from '../model/line.ts';
import {
  INVITE_LABEL_MAX,
  INVITES_AT_ONCE,
  InviteCounts,
  InviteDays,
  InviteDraft,
  InviteLabel,
  KeepDays,
  ListedState,
  MadeLink,
  ManagedInvite,
} from '../model/managedInvite.ts';
import { Slug } from '../model/profile.ts';
import { Alias } from '../model/staff.ts';
import { call } from './call.ts';

/** Microseconds and an id. All invites of a batch have the same time; the id keeps their order. */
const Cursor = v.pipe(v.string(), v.regex(/^[0-9]{1,17}_[0-9a-f-]{36}$/));

/** 500 labels of maximum length, in characters of three bytes. */
const BODY_MAX_BYTES = 524_288;

/** Calls of administrators about invites. */
export const inviteAdminCalls = {
  /**
   * Newest first. `counts` covers all invites that match the handler and the search, in any state. With a search,
   * counting stops at 10,000 invites.
   */
  readInvites: call({
    route: 'GET /manage/invites',
    summary: 'Read the invites, newest first, a page at a time.',
    auth: 'admin',
    scope: 'invites:read',
    query: {
      state: v.optional(ListedState),
      alias: v.optional(Alias),
      profile: v.optional(Slug),
      search: v.optional(v.pipe(Line, v.maxLength(INVITE_LABEL_MAX))),
      before: v.optional(Cursor),
    },
    answer: { rows: v.array(ManagedInvite), next: v.nullable(Cursor), counts: InviteCounts },
  }),
  /**
   * Safe to repeat with the same batch and ids. An invite that nobody has opened gets a new link, because the answer
   * with the first one was lost. `attempt` increases with every retry. An attempt that arrives after a later one is
   * refused, because its links would invalidate the ones that the page shows.
   */
  createInvites: call({
    route: 'POST /manage/invites',
    summary: 'Create up to 500 invites. Only this response contains the links.',
    auth: 'admin',
    refusals: ['id_reused'],
    scope: 'invites:write',
    bodyMax: BODY_MAX_BYTES,
    body: {
      batchId: Uuid,
      attempt: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000)),
      invites: v.pipe(v.array(InviteDraft), v.minLength(1), v.maxLength(INVITES_AT_ONCE)),
    },
    answer: { links: v.array(MadeLink) },
  }),
  /** Returns how many were not revoked before. An API key revokes only those that it created. */
  revokeInvites: call({
    route: 'POST /manage/invites/revoke',
    summary:
      'Revoke invites. Their visitors lose access. With an API key, only invites that this key created are revoked.',
    auth: 'admin',
    scope: 'invites:write',
    body: { ids: v.pipe(v.array(Uuid), v.minLength(1), v.maxLength(INVITES_AT_ONCE)) },
    answer: { revoked: v.number() },
  }),
  replaceLink: call({
    route: 'POST /manage/invites/:id/link',
    summary: 'Create a new link for an invite. The old link stops working.',
    auth: 'admin',
    refusals: ['invite_revoked'],
    answer: MadeLink.entries,
  }),
  resetCode: call({
    route: 'POST /manage/invites/:id/continueCode',
    summary: 'Create a new continue code for a conversation that has started.',
    auth: 'admin',
    refusals: ['invite_revoked'],
    answer: { continueCode: v.string() },
  }),
  /** Omitted fields stay unchanged. `days` counts from now; only before the chat has started. */
  updateInvite: call({
    route: 'PUT /manage/invites/:id',
    summary: 'Change an invite’s label, days to keep or expiry.',
    auth: 'admin',
    refusals: ['invite_revoked'],
    body: {
      label: v.optional(InviteLabel),
      keepDays: v.optional(v.nullable(KeepDays)),
      days: v.optional(InviteDays),
    },
    answer: { expiresAt: Time },
  }),
} as const;
