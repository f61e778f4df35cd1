import * as v from 'valibot';
import { Line } from '../model/line.ts';
import { NewPassword, Password } from '../model/password.ts';
import { FactorProof, SecondFactorAsked, Ticket } from '../model/secondFactor.ts';
import { StaffClaims } from '../model/staff.ts';
import { call, idToken, success } from './call.ts';

/** 192 random bits. Sent in the body and never in a URL, so that it does not appear in logs. */
const LinkToken = v.pipe(v.string(), v.maxLength(64));

/** How staff sign in. */
export const signInCalls = {
  signInStaff: call({
    route: 'POST /auth/staff/sign-in',
    summary: 'Sign in by e-mail and password. With a second factor this is the first of two steps.',
    auth: 'none',
    rate: ['strangerCalls', 'account', 'address'],
    refusals: ['sign_in_failed', 'access_denied'],
    body: {
      email: v.pipe(Line, v.nonEmpty(), v.maxLength(254)),
      password: Password,
    },
    /** An account with a second factor gets a ticket for the second step instead of a session. */
    answer: v.union([
      v.object({ success, staff: StaffClaims, ...idToken }),
      v.object({ success, secondFactor: SecondFactorAsked }),
    ]),
  }),
  readSignIn: call({
    route: 'GET /auth/staff/sign-in',
    summary: 'Read the name of the provider for single sign-on, if there is one.',
    auth: 'none',
    answer: { singleSignOn: v.nullable(v.string()) },
  }),
  confirmSignIn: call({
    route: 'POST /auth/staff/second-factor',
    summary: 'Confirm the second factor and finish signing in.',
    auth: 'none',
    rate: ['strangerCalls', 'factor', 'factorday', 'factoraddress'],
    refusals: ['sign_in_failed', 'second_factor_failed', 'access_denied'],
    body: { ticket: Ticket, proof: FactorProof },
    answer: { staff: StaffClaims, ...idToken },
  }),
  /**
   * Reads the role and the alias from the database again. `active: false` if the person did nothing since the last
   * call: then the call does not extend the session.
   */
  refreshStaff: call({
    route: 'POST /auth/staff/refresh',
    summary: 'Get a new ID token with the cookie.',
    auth: 'cookie',
    cookie: 'staff',
    refusals: ['unauthenticated'],
    body: { active: v.optional(v.boolean(), true) },
    answer: { staff: StaffClaims, ...idToken },
  }),
  signOutStaff: call({
    route: 'POST /auth/staff/sign-out',
    summary: 'End the session of the cookie.',
    auth: 'cookie',
    cookie: 'staff',
  }),
  openPasswordLink: call({
    route: 'POST /auth/staff/password-link',
    summary: 'Read which account a one-time password link belongs to. Does not use the link.',
    auth: 'none',
    rate: ['strangerCalls', 'lookups'],
    refusals: ['link_void'],
    body: { token: LinkToken },
    answer: { name: v.string(), email: v.string() },
  }),
  choosePassword: call({
    route: 'POST /auth/staff/password',
    summary: 'Set a password with a one-time link.',
    auth: 'none',
    rate: ['strangerCalls', 'lookups'],
    refusals: ['link_void'],
    body: { token: LinkToken, password: NewPassword },
  }),
} as const;
