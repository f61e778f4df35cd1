import * as v from 'valibot';
import { Line } from '../frames/line.ts';
import { Time, Uuid } from '../model/ids.ts';
import { Password } from '../model/password.ts';
import { PersonChange, PersonDraft } from '../model/person.ts';
import { Alias, Role } from '../model/staff.ts';
import { call } from './call.ts';

export const PEOPLE_PAGE = 50;
export const PASSWORD_LINK_HOURS = 72;

/** A staff member, as administrators see them. Never sent to a visitor. */
export const Person = v.object({
  id: Uuid,
  name: v.string(),
  email: v.string(),
  role: Role,
  alias: v.nullable(Alias),
  active: v.boolean(),
  /** Has a page open. */
  online: v.boolean(),
  /** Signed in, but not available to visitors. */
  away: v.boolean(),
  /** When they last had a page open; null if never. */
  lastSeenAt: v.nullable(Time),
  /** Open conversations of their desk. */
  open: v.number(),
  /** Of conversations that started at their desk in the last 30 days; null without a reply. */
  medianFirstReplyMs: v.nullable(v.number()),
  hasFactor: v.boolean(),
});
export type Person = v.InferOutput<typeof Person>;

export const LEFT_DESKS_SHOWN = 50;

/** A desk without handlers, and its open conversations and unused invites. */
export const LeftDesk = v.object({ alias: Alias, conversations: v.number(), invites: v.number() });
export type LeftDesk = v.InferOutput<typeof LeftDesk>;

/** Returned only once, because only its hash is stored. */
/** `linkSent`: the link was also sent to the person by e-mail. */
const PasswordLink = { link: v.string(), linkExpiresAt: Time, linkSent: v.optional(v.boolean(), false) };

/** 192 random bits. Sent in the body and never in a URL, so that it does not appear in logs. */
const LinkToken = v.pipe(v.string(), v.maxLength(64));

export const peopleCalls = {
  readPeople: call('GET', '/manage/staff', 'admin', {
    query: {
      q: v.optional(v.pipe(Line, v.maxLength(100))),
      show: v.optional(v.picklist(['active', 'deactivated']), 'active'),
      /** The last person of the previous page. */
      after: v.optional(Uuid),
    },
    answer: { people: v.array(Person), next: v.nullable(Uuid) },
  }),
  addPerson: call('POST', '/manage/staff', 'admin', {
    body: PersonDraft,
    answer: { id: Uuid, ...PasswordLink },
  }),
  /**
   * Omitted fields stay unchanged. If the change leaves a desk without handlers, the desk must be empty. With
   * `bringAlong`, its conversations and invites go to the new desk instead, by later calls of `moveDesk`.
   */
  changePerson: call('PUT', '/manage/staff/:id', 'admin', {
    body: { person: PersonChange, bringAlong: v.optional(v.boolean(), false) },
  }),
  deactivatePerson: call('POST', '/manage/staff/:id/deactivate', 'admin'),
  activatePerson: call('POST', '/manage/staff/:id/activate', 'admin'),
  /** Also invalidates their password and signs them out. */
  makePasswordLink: call('POST', '/manage/staff/:id/password-link', 'admin', { answer: { ...PasswordLink } }),
  signOutEverywhere: call('POST', '/manage/staff/:id/sign-out', 'admin'),
  /**
   * For a person who lost their factor. Ends their sessions. Administrators must set up a new one before they can
   * continue.
   */
  resetFactor: call('POST', '/manage/staff/:id/factor/reset', 'admin'),
  /** What would remain at their desk if they left it now; nothing if the desk has another handler. */
  readLeaving: call('GET', '/manage/staff/:id/leaving', 'admin', {
    answer: { conversations: v.number(), invites: v.number() },
  }),
  /**
   * Desks with open conversations or unused invites but no handler: after an interrupted move, or when a visitor
   * reopened an old conversation. A limited number per call; call again until none is left.
   */
  readLeftDesks: call('GET', '/manage/desks/left', 'admin', { answer: { desks: v.array(LeftDesk) } }),
  /** Moves some open conversations and unused invites of a desk to another. Call again until none is left. */
  moveDesk: call('POST', '/manage/desks/:alias/move', 'admin', {
    body: { to: Alias },
    answer: { moved: v.number(), left: v.number() },
  }),

  // Calls of the person who opens the link.
  openPasswordLink: call('POST', '/auth/staff/password-link', 'none', {
    body: { token: LinkToken },
    answer: { name: v.string(), email: v.string() },
  }),
  choosePassword: call('POST', '/auth/staff/password', 'none', {
    body: { token: LinkToken, password: Password },
  }),
} as const;
