import * as v from 'valibot';
import { Time, Uuid } from '../model/ids.ts';
import { Line } from '../model/line.ts';
import { PersonChange, PersonDraft } from '../model/person.ts';
import { Slug } from '../model/profile.ts';
import { Alias, Role } from '../model/staff.ts';
import { call } from './call.ts';
import { LeftDesk } from './deskCalls.ts';

export const PEOPLE_PAGE = 50;
export const PEOPLE_QUERY_MAX = 100;
export const PASSWORD_LINK_HOURS = 72;

/** A staff member, as administrators see them. Never sent to a visitor. */
export const Person = v.object({
  id: Uuid,
  name: v.string(),
  email: v.string(),
  role: Role,
  /** The first desk. */
  alias: v.nullable(Alias),
  /** All desks, `alias` first. Only of a person with several. */
  desks: v.optional(v.array(Alias)),
  active: v.boolean(),
  /** Has a page open. */
  online: v.boolean(),
  /** Signed in, but not available to visitors: also if off duty at every desk. */
  away: v.boolean(),
  /** When they last had a page open; null if never. */
  lastSeenAt: v.nullable(Time),
  /** Open conversations of their desks. */
  open: v.number(),
  /** Of conversations that started at their first desk in the last 30 days; null without a reply. */
  medianFirstReplyMs: v.nullable(v.number()),
  hasFactor: v.boolean(),
});
export type Person = v.InferOutput<typeof Person>;

/** Returned only once, because only its hash is stored. `linkSent`: the link was also sent to the person by e-mail. */
const PasswordLink = { link: v.string(), linkExpiresAt: Time, linkSent: v.optional(v.boolean(), false) };

export const peopleCalls = {
  readPeople: call({
    route: 'GET /manage/staff',
    summary: 'Read the staff members, a page at a time.',
    auth: 'admin',
    query: {
      q: v.optional(v.pipe(Line, v.maxLength(PEOPLE_QUERY_MAX))),
      show: v.optional(v.picklist(['active', 'deactivated']), 'active'),
      /** Only people with a desk of this profile. */
      profile: v.optional(Slug),
      /** The last person of the previous page. */
      after: v.optional(Uuid),
    },
    answer: { people: v.array(Person), next: v.nullable(Uuid) },
  }),
  addPerson: call({
    route: 'POST /manage/staff',
    summary: 'Add a staff member. Returns the link to set a password.',
    auth: 'admin',
    refusals: ['email_taken', 'password_required'],
    body: PersonDraft,
    answer: { id: Uuid, ...PasswordLink },
  }),
  /**
   * Omitted fields stay unchanged. If the change leaves a desk without handlers, the desk must be empty. With
   * `bringAlong`, its conversations and invites go to the new desk instead, by later calls of `moveDesk`.
   */
  changePerson: call({
    route: 'PUT /manage/staff/:id',
    summary: 'Change a staff member.',
    auth: 'admin',
    refusals: ['email_taken', 'last_admin', 'desk_in_use', 'password_required'],
    body: { person: PersonChange, bringAlong: v.optional(v.boolean(), false) },
  }),
  deactivatePerson: call({
    route: 'POST /manage/staff/:id/deactivate',
    summary: 'Deactivate a staff member and end their sessions.',
    auth: 'admin',
    refusals: ['last_admin', 'desk_in_use'],
  }),
  activatePerson: call({
    route: 'POST /manage/staff/:id/activate',
    summary: 'Activate a staff member again.',
    auth: 'admin',
    refusals: ['password_required'],
  }),
  /** Also invalidates their password and signs them out. */
  makePasswordLink: call({
    route: 'POST /manage/staff/:id/password-link',
    summary: 'Create a one-time link to set a password.',
    auth: 'admin',
    refusals: ['password_required'],
    answer: { ...PasswordLink },
  }),
  signOutEverywhere: call({
    route: 'POST /manage/staff/:id/sign-out',
    summary: 'End all sessions of a staff member.',
    auth: 'admin',
  }),
  /**
   * For a person who lost their factor. Ends their sessions. Administrators must set up a new one before they can
   * continue.
   */
  resetFactor: call({
    route: 'POST /manage/staff/:id/factor/reset',
    summary: 'Remove a lost second factor.',
    auth: 'admin',
    refusals: ['password_required'],
  }),
  /**
   * What would remain at their desks if they left them now; nothing if each has another handler. `desks`: the same for
   * each desk, of a person with several.
   */
  readLeaving: call({
    route: 'GET /manage/staff/:id/leaving',
    summary: 'Read the work at the desk of a staff member who is about to leave.',
    auth: 'admin',
    answer: { conversations: v.number(), invites: v.number(), desks: v.optional(v.array(LeftDesk)) },
  }),
} as const;
