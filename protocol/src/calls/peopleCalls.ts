import * as v from 'valibot';
import { Line } from '../frames/line.ts';
import { Time, Uuid } from '../model/ids.ts';
import { Password } from '../model/password.ts';
import { PersonChange, PersonDraft } from '../model/person.ts';
import { Alias, Role } from '../model/staff.ts';
import { call, none, success } from './call.ts';

export const PEOPLE_PAGE = 50;
export const PASSWORD_LINK_HOURS = 72;

/** A member of staff as administrators see them. Nothing of it may reach a visitor. */
export const Person = v.object({
  id: Uuid,
  name: v.string(),
  email: v.string(),
  role: Role,
  alias: v.nullable(Alias),
  active: v.boolean(),
  /** Has a page open somewhere. */
  online: v.boolean(),
  /** Signed in, but not there for visitors. */
  away: v.boolean(),
  /** When they last had a page open; null for nobody yet. */
  lastSeenAt: v.nullable(Time),
  /** Open conversations of their desk. */
  open: v.number(),
  /** Of conversations that their desk began in the last 30 days; null without any reply. */
  medianFirstReplyMs: v.nullable(v.number()),
  hasFactor: v.boolean(),
});
export type Person = v.InferOutput<typeof Person>;

export const LEFT_DESKS_SHOWN = 50;

/** A desk at which nobody answers, and what waits there all the same. */
export const LeftDesk = v.object({ alias: Alias, conversations: v.number(), invites: v.number() });
export type LeftDesk = v.InferOutput<typeof LeftDesk>;

/** Shown once: only its hash is kept. */
const PasswordLink = { link: v.string(), linkExpiresAt: Time };

/** 192 random bits. In a body and never in an address, so that it reaches no log. */
const LinkToken = v.pipe(v.string(), v.maxLength(64));

/** About members of staff. */
export const peopleCalls = {
  readPeople: call({
    method: 'GET',
    path: '/manage/staff',
    auth: 'admin',
    body: none,
    query: v.strictObject({
      q: v.optional(v.pipe(Line, v.maxLength(100))),
      show: v.optional(v.picklist(['active', 'deactivated']), 'active'),
      /** The person with whom the page before ended. */
      after: v.optional(Uuid),
    }),
    answer: v.object({ success, people: v.array(Person), next: v.nullable(Uuid) }),
  }),
  addPerson: call({
    method: 'POST',
    path: '/manage/staff',
    auth: 'admin',
    query: none,
    body: PersonDraft,
    answer: v.object({ success, id: Uuid, ...PasswordLink }),
  }),
  /**
   * What is left out stays as it is. `bringAlong`: what is at the desk that nobody is left at goes to the new one, by `moveDesk` afterwards; else that
   * desk has to be empty by now.
   */
  changePerson: call({
    method: 'PUT',
    path: '/manage/staff/:id',
    auth: 'admin',
    query: none,
    body: v.strictObject({ person: PersonChange, bringAlong: v.optional(v.boolean(), false) }),
    answer: v.object({ success }),
  }),
  deactivatePerson: call({
    method: 'POST',
    path: '/manage/staff/:id/deactivate',
    auth: 'admin',
    body: none,
    query: none,
    answer: v.object({ success }),
  }),
  activatePerson: call({
    method: 'POST',
    path: '/manage/staff/:id/activate',
    auth: 'admin',
    body: none,
    query: none,
    answer: v.object({ success }),
  }),
  /** Also voids the password that they have, and signs them out. */
  makePasswordLink: call({
    method: 'POST',
    path: '/manage/staff/:id/password-link',
    auth: 'admin',
    body: none,
    query: none,
    answer: v.object({ success, ...PasswordLink }),
  }),
  signOutEverywhere: call({
    method: 'POST',
    path: '/manage/staff/:id/sign-out',
    auth: 'admin',
    body: none,
    query: none,
    answer: v.object({ success }),
  }),
  /** For somebody who lost it. Ends their sessions; administrators set up another before anything opens. */
  resetFactor: call({
    method: 'POST',
    path: '/manage/staff/:id/factor/reset',
    auth: 'admin',
    body: none,
    query: none,
    answer: v.object({ success }),
  }),
  /** What would stay behind at their desk if they left it now; nothing where somebody else answers there too. */
  readLeaving: call({
    method: 'GET',
    path: '/manage/staff/:id/leaving',
    auth: 'admin',
    body: none,
    query: none,
    answer: v.object({ success, conversations: v.number(), invites: v.number() }),
  }),
  /**
   * Desks with open conversations or unused invites and nobody to answer: a move that was broken off, an old
   * conversation that its visitor opened again. Some at a time, until all are moved.
   */
  readLeftDesks: call({
    method: 'GET',
    path: '/manage/desks/left',
    auth: 'admin',
    body: none,
    query: none,
    answer: v.object({ success, desks: v.array(LeftDesk) }),
  }),
  /** Hands some of a desk's open conversations and unused invites over to another; asked again until none is left. */
  moveDesk: call({
    method: 'POST',
    path: '/manage/desks/:alias/move',
    auth: 'admin',
    query: none,
    body: v.strictObject({ to: Alias }),
    answer: v.object({ success, moved: v.number(), left: v.number() }),
  }),

  // What the person does with the link.
  openPasswordLink: call({
    method: 'POST',
    path: '/auth/staff/password-link',
    auth: 'none',
    query: none,
    body: v.strictObject({ token: LinkToken }),
    answer: v.object({ success, name: v.string(), email: v.string() }),
  }),
  choosePassword: call({
    method: 'POST',
    path: '/auth/staff/password',
    auth: 'none',
    query: none,
    body: v.strictObject({ token: LinkToken, password: Password }),
    answer: v.object({ success }),
  }),
} as const;
