import * as v from 'valibot';
import { Uuid } from './ids.ts';

export const Role = v.picklist(['handler', 'admin']);
export type Role = v.InferOutput<typeof Role>;

/** Names a desk, not a person. It becomes part of a bus subject, hence the narrow alphabet. */
export const ALIAS_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;
export const Alias = v.pipe(v.string(), v.regex(ALIAS_PATTERN, 'lower-case letters, digits and dashes'));

/** What an ID token says of a member of staff; the server believes only its own database. */
export const StaffClaims = v.object({
  staffId: Uuid,
  name: v.string(),
  role: Role,
  alias: v.nullable(Alias),
  /** Must set up a second factor before anything else. */
  mustEnrol: v.optional(v.boolean(), false),
  /** Until when a second factor must be set up; null when none is missing. */
  enrolBy: v.optional(v.nullable(v.number()), null),
  /** That time is over: the admin area opens only with a second factor. The console stays open. */
  adminClosed: v.optional(v.boolean(), false),
});
export type StaffClaims = v.InferOutput<typeof StaffClaims>;

/** Keyed by alias. */
export const HandlerRecord = v.object({
  alias: Alias,
  /** The push token; null while notifications are off. */
  fcmToken: v.nullable(v.string()),
  online: v.boolean(),
});
export type HandlerRecord = v.InferOutput<typeof HandlerRecord>;

/** A desk as colleagues see it. */
export const Desk = v.object({
  alias: Alias,
  /** Names of those who answer there. */
  people: v.array(v.string()),
  online: v.boolean(),
});
export type Desk = v.InferOutput<typeof Desk>;
