import * as v from 'valibot';
import { Time } from './ids.ts';
import { ALIAS_PATTERN, Alias } from './staff.ts';
import { StaffSettings } from './staffSettings.ts';

/** The slug of the first profile. */
export const MAIN = 'main';

/** Names a profile for staff, for good. Visitors never see it. */
export const Slug = v.pipe(v.string(), v.regex(ALIAS_PATTERN, 'lower-case letters, digits and dashes'));

/** A profile, where staff see which one it is. */
export const StaffProfile = v.object({
  slug: Slug,
  displayName: v.string(),
  avatarUrl: v.nullable(v.string()),
  verified: v.boolean(),
});
export type StaffProfile = v.InferOutput<typeof StaffProfile>;

/** A profile that a person answers for, and at which of their desks. */
export const OwnProfile = v.object({
  ...StaffProfile.entries,
  ...StaffSettings.entries,
  desks: v.array(Alias),
});
export type OwnProfile = v.InferOutput<typeof OwnProfile>;

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The work that waits there now. */
const load = {
  /** Somebody is on duty there. */
  online: v.boolean(),
  /** Open conversations. */
  open: Count,
  /** The longest wait of a visitor; null if none waits. */
  waitingSince: v.nullable(Time),
};

/** A profile as administrators see it in the list. */
export const ManagedProfile = v.object({
  ...StaffProfile.entries,
  /** Since when it is archived; null if it is not. */
  archivedAt: v.nullable(Time),
  ...load,
  desks: v.array(
    v.object({
      alias: Alias,
      /** Null for a desk that has only its alias. */
      name: v.nullable(v.string()),
      /** Names of the handlers. */
      people: v.array(v.string()),
      /** Those of them who have a page open, and are neither away nor off duty at this desk. */
      onDuty: v.array(v.string()),
      ...load,
    }),
  ),
});
export type ManagedProfile = v.InferOutput<typeof ManagedProfile>;
