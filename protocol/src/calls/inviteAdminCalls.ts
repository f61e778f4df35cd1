import * as v from 'valibot';
import { Line } from '../frames/line.ts';
import { Time, Uuid } from '../model/ids.ts';
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
import { Alias } from '../model/staff.ts';
import { call, none, success } from './call.ts';

/** Microseconds and an id. All invites of a batch have the same time; the id keeps their order. */
const Cursor = v.pipe(v.string(), v.regex(/^[0-9]{1,17}_[0-9a-f-]{36}$/));

/** 500 labels of maximum length, in characters of three bytes. */
const BODY_MAX_BYTES = 524_288;

/** Calls of administrators about invites. */
export const inviteAdminCalls = {
  /** Newest first. `counts` covers all invites that match the handler and the search, in any state. */
  readInvites: call({
    method: 'GET',
    path: '/manage/invites',
    auth: 'admin',
    body: none,
    query: v.strictObject({
      state: v.optional(ListedState),
      alias: v.optional(Alias),
      search: v.optional(v.pipe(Line, v.maxLength(INVITE_LABEL_MAX))),
      before: v.optional(Cursor),
    }),
    answer: v.object({
      success,
      rows: v.array(ManagedInvite),
      next: v.nullable(Cursor),
      counts: InviteCounts,
    }),
  }),
  /**
   * Safe to repeat with the same batch and ids. An invite that nobody has opened gets a new link, because the answer
   * with the first one was lost. `attempt` increases with every retry. An attempt that arrives after a later one is
   * refused, because its links would invalidate the ones that the page shows.
   */
  createInvites: call({
    method: 'POST',
    path: '/manage/invites',
    auth: 'admin',
    query: none,
    bodyMax: BODY_MAX_BYTES,
    body: v.strictObject({
      batchId: Uuid,
      attempt: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000)),
      invites: v.pipe(v.array(InviteDraft), v.minLength(1), v.maxLength(INVITES_AT_ONCE)),
    }),
    answer: v.object({ success, links: v.array(MadeLink) }),
  }),
  /** Returns how many were not revoked before. */
  revokeInvites: call({
    method: 'POST',
    path: '/manage/invites/revoke',
    auth: 'admin',
    query: none,
    body: v.strictObject({ ids: v.pipe(v.array(Uuid), v.minLength(1), v.maxLength(INVITES_AT_ONCE)) }),
    answer: v.object({ success, revoked: v.number() }),
  }),
  replaceLink: call({
    method: 'POST',
    path: '/manage/invites/:id/link',
    auth: 'admin',
    query: none,
    body: none,
    answer: v.object({ success, ...MadeLink.entries }),
  }),
  resetCode: call({
    method: 'POST',
    path: '/manage/invites/:id/continueCode',
    auth: 'admin',
    query: none,
    body: none,
    answer: v.object({ success, continueCode: v.string() }),
  }),
  /** Omitted fields stay unchanged. `days` counts from now; only before the chat has started. */
  updateInvite: call({
    method: 'PUT',
    path: '/manage/invites/:id',
    auth: 'admin',
    query: none,
    body: v.strictObject({
      label: v.optional(InviteLabel),
      keepDays: v.optional(v.nullable(KeepDays)),
      days: v.optional(InviteDays),
    }),
    answer: v.object({ success, expiresAt: Time }),
  }),
} as const;
