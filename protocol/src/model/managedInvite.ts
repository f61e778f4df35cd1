import * as v from 'valibot';
import { oneLine } from '../frames/line.ts';
import { Time, Uuid } from './ids.ts';
import { INVITE_DAYS_MAX, InviteState } from './invite.ts';
import { Alias } from './staff.ts';

/** How many invites one call makes or revokes at most, and how many one page of the list has. */
export const INVITES_AT_ONCE = 500;
export const INVITES_PAGE = 50;
export const INVITE_IMPORT_MAX = 10_000;
export const INVITE_LABEL_MAX = 120;
/** How long a conversation may be kept by its invite. */
export const KEEP_DAYS_MAX = 3_650;

/** What staff know an invite by. One line: it stands in tables, files and on paper. */
export const InviteLabel = v.pipe(
  v.string(),
  v.maxLength(INVITE_LABEL_MAX * 2),
  v.transform(oneLine),
  v.minLength(1),
  v.maxLength(INVITE_LABEL_MAX),
);

export const InviteDays = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(INVITE_DAYS_MAX));
export const KeepDays = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(KEEP_DAYS_MAX));

/** As the list names them. Expired is no stored state: it is a date that has passed before anybody started. */
export const ListedState = v.picklist([...InviteState.options, 'EXPIRED']);
export type ListedState = v.InferOutput<typeof ListedState>;

/** How many there are of each. */
export const InviteCounts = v.object({
  NEW: v.number(),
  SEEN: v.number(),
  BOUND: v.number(),
  REVOKED: v.number(),
  EXPIRED: v.number(),
});
export type InviteCounts = v.InferOutput<typeof InviteCounts>;

/** A link is in no list: it is known only in the answer that makes it. */
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
  /** Once somebody has started. */
  conversation: v.nullable(v.object({ id: Uuid, visitorId: Uuid, visitorName: v.string() })),
});
export type ManagedInvite = v.InferOutput<typeof ManagedInvite>;

/** What an invite is made of. The page mints the id, so that asking twice makes one. */
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
