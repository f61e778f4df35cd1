import type { CallerName } from './callers.ts';

/** The answer to a caller: success, or a refusal with this status. */
export type Expected = 'ok' | number;

type Answers = Record<CallerName, Expected>;

/** Callers without a valid token, and a program, which no call admits unless it says so. */
const strangers = { anonymous: 401, signedOut: 401, revokedKey: 401, key: 403 };
const noVisitor = { visitor: 403, otherVisitor: 403 };
const noStaff = { handler: 403, otherHandler: 403, admin: 403, unverified: 403 };
const allStaff = { handler: 'ok', otherHandler: 'ok', admin: 'ok' } as const;

/**
 * The values of `who`. Another person's data is 404, as if it did not exist; a call for another kind of caller is 403.
 * Everyone needs a second factor here: callers without one can only use the calls of their own account.
 */
export const WHO = {
  everybody: {
    anonymous: 'ok',
    signedOut: 'ok',
    visitor: 'ok',
    otherVisitor: 'ok',
    ...allStaff,
    unverified: 'ok',
    key: 'ok',
    revokedKey: 'ok',
  },
  /** A way to another page, the same for everyone. */
  redirected: {
    anonymous: 302,
    signedOut: 302,
    visitor: 302,
    otherVisitor: 302,
    handler: 302,
    otherHandler: 302,
    admin: 302,
    unverified: 302,
    key: 302,
    revokedKey: 302,
  },
  /** Any visitor, for their own data. */
  visitors: { ...strangers, ...noStaff, visitor: 'ok', otherVisitor: 'ok' },
  /** The visitor of the conversation. */
  ownVisitor: { ...strangers, ...noStaff, visitor: 'ok', otherVisitor: 404 },
  /** Both sides of the conversation. */
  bothSides: {
    ...strangers,
    visitor: 'ok',
    otherVisitor: 404,
    handler: 'ok',
    otherHandler: 404,
    admin: 'ok',
    unverified: 403,
  },
  /** The conversation's desk, and administrators. */
  ownDesk: { ...strangers, ...noVisitor, handler: 'ok', otherHandler: 404, admin: 'ok', unverified: 403 },
  /** The visitor who began the upload; staff cannot continue it. */
  sender: {
    ...strangers,
    visitor: 'ok',
    otherVisitor: 404,
    handler: 404,
    otherHandler: 404,
    admin: 404,
    unverified: 403,
  },
  /** Anybody with a token, for their own data. */
  persons: { ...strangers, visitor: 'ok', otherVisitor: 'ok', ...allStaff, unverified: 403 },
  /** Any staff member, for their own data or for data that all staff share. */
  staff: { ...strangers, ...noVisitor, ...allStaff, unverified: 403 },
  /** Also staff who still have to set up a second factor. */
  account: { ...strangers, ...noVisitor, ...allStaff, unverified: 'ok' },
  admin: { ...strangers, ...noVisitor, handler: 403, otherHandler: 403, admin: 'ok', unverified: 403 },
  /** Administrators, and programs with the scope of the call. */
  adminOrKey: {
    ...strangers,
    ...noVisitor,
    handler: 403,
    otherHandler: 403,
    admin: 'ok',
    unverified: 403,
    key: 'ok',
  },
  /** Anybody with a valid staff cookie. */
  staffCookie: { ...strangers, key: 401, visitor: 401, otherVisitor: 401, ...allStaff, unverified: 'ok' },
  /** Closed for everybody. */
  shut: {
    anonymous: 409,
    signedOut: 409,
    visitor: 409,
    otherVisitor: 409,
    handler: 409,
    otherHandler: 409,
    admin: 409,
    unverified: 409,
    key: 409,
    revokedKey: 409,
  },
  /** The signature in the address grants access; without one nobody has it. */
  signature: {
    anonymous: 403,
    signedOut: 403,
    visitor: 403,
    otherVisitor: 403,
    handler: 403,
    otherHandler: 403,
    admin: 403,
    unverified: 403,
    key: 403,
    revokedKey: 403,
  },
} as const satisfies Record<string, Answers>;

export type Who = keyof typeof WHO;
