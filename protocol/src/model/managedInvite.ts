import * as v from 'valibot';
import { Time, Uuid } from './ids.ts';
import { INVITE_DAYS_MAX, InviteState } from './invite.ts';
import { oneLine } from './line.ts';
import { Alias } from './staff.ts';

/** Maximum invites per call that creates or revokes them, and per page of the list. */
export const INVITES_AT_ONCE = 500;
export const INVITES_PAGE = 50;
/** Counting the results of a search stops here. */
export const INVITE_COUNT_MAX = 10_000;
export const INVITE_IMPORT_MAX = 10_000;
export const INVITE_LABEL_MAX = 120;
/** Maximum retention time that an invite can set for its conversation. */
export const KEEP_DAYS_MAX = 3_650;

/** The name of an invite for staff. One line, for tables, files and printed cards. */
export const InviteLabel = v.pipe(
  v.string(),
  v.maxLength(INVITE_LABEL_MAX * 2),
  v.transform(oneLine),
  v.minLength(1),
  v.maxLength(INVITE_LABEL_MAX),
);

export const InviteDays = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(INVITE_DAYS_MAX));
export const KeepDays = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(KEEP_DAYS_MAX));

/** States in the list. EXPIRED is not stored: the invite's date has passed before the chat started. */
export const ListedState = v.picklist([...InviteState.options, 'EXPIRED']);
export type ListedState = v.InferOutput<typeof ListedState>;

export const InviteCounts = v.object({
  NEW: v.number(),
  SEEN: v.number(),
  BOUND: v.number(),
  REVOKED: v.number(),
  EXPIRED: v.number(),
});
export type InviteCounts = v.InferOutput<typeof InviteCounts>;

/** Has no link: only the answer of the call that creates a link contains it. */
export const ManagedInvite = v.object({
  id: Uuid,
  label: v.string(),
  state: ListedState,
  handlerAlias: Alias,
  createdAt: Time,
  expiresAt: Time,
  seenAt: v.nullable(Time),
  boundAt: v.nullable(Time),
  revokedAt: v.nullable(Time),
  keepDays: v.nullable(v.number()),
  /** Null before the chat has started. */
  conversation: v.nullable(v.object({ id: Uuid, visitorId: Uuid, visitorName: v.string() })),
});
export type ManagedInvite = v.InferOutput<typeof ManagedInvite>;

/** An invite to create. The page creates the id, so that a retry does not create a second one. */
export const InviteDraft = v.strictObject({
  id: Uuid,
  label: InviteLabel,
  alias: Alias,
  days: InviteDays,
  keepDays: v.nullable(KeepDays),
});
export type InviteDraft = v.InferOutput<typeof InviteDraft>;

export const MadeLink = v.object({ id: Uuid, link: v.string(), expiresAt: Time });
export type MadeLink = v.InferOutput<typeof MadeLink>;
