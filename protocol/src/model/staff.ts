import * as v from 'valibot';
import { Uuid } from './ids.ts';
import { StaffLanguage } from './language.ts';

export const Role = v.picklist(['handler', 'admin']);
export type Role = v.InferOutput<typeof Role>;

/** Names a desk, not a person. Becomes part of a NATS subject, so few characters are allowed. */
export const ALIAS_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;
export const Alias = v.pipe(v.string(), v.regex(ALIAS_PATTERN, 'lower-case letters, digits and dashes'));

/** A desk of a person. */
export const HeldDesk = v.object({
  alias: Alias,
  /** Off duty: the person's pages do not make this desk online, and it does not notify them. */
  off: v.boolean(),
});
export type HeldDesk = v.InferOutput<typeof HeldDesk>;

/** The content of a staff member's ID token. The server trusts only its database. */
export const StaffClaims = v.object({
  staffId: Uuid,
  name: v.string(),
  role: Role,
  /** The first desk. */
  alias: v.nullable(Alias),
  /** All desks, `alias` first. Only of a person with several, and not from an older gateway. */
  desks: v.optional(v.array(HeldDesk)),
  /** Must set up a second factor before anything else. */
  mustEnrol: v.optional(v.boolean(), false),
  /** Deadline to set up a second factor; null if none is missing. */
  enrolBy: v.optional(v.nullable(v.number()), null),
  /** The deadline has passed: the admin area needs a second factor. The console stays open. */
  adminClosed: v.optional(v.boolean(), false),
  /** The language that the person chose; null for that of the browser. */
  language: v.optional(v.nullable(StaffLanguage), null),
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

/** A desk, as colleagues see it. */
export const Desk = v.object({
  alias: Alias,
  /** Names of the handlers. */
  people: v.array(v.string()),
  online: v.boolean(),
});
export type Desk = v.InferOutput<typeof Desk>;
