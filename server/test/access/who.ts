import type { CallerName } from './callers.ts';

/** What a caller is answered: done, or refused with this status. */
export type Expected = 'ok' | number;

type Answers = Record<CallerName, Expected>;

/** Who shows no token, or one that has ended. */
const strangers = { anonymous: 401, signedOut: 401 };
const noVisitor = { visitor: 403, otherVisitor: 403 };
const noStaff = { handler: 403, otherHandler: 403, admin: 403, unverified: 403 };
const allStaff = { handler: 'ok', otherHandler: 'ok', admin: 'ok' } as const;

/**
 * The words of the tables. What is somebody else's is 404, as if it were not there; a door that is not for this kind of
 * person is 403. Here everyone needs a second factor: who did not set one up in time is refused at every door but the
 * account's own.
 */
export const WHO = {
  everybody: {
    anonymous: 'ok',
    signedOut: 'ok',
    visitor: 'ok',
    otherVisitor: 'ok',
    ...allStaff,
    unverified: 'ok',
  },
  /** Any visitor, about nothing that is another's. */
  visitors: { ...strangers, ...noStaff, visitor: 'ok', otherVisitor: 'ok' },
  /** The visitor whose conversation it is. */
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
  /** The desk where the conversation is, and administrators. */
  ownDesk: { ...strangers, ...noVisitor, handler: 'ok', otherHandler: 404, admin: 'ok', unverified: 403 },
  /** The visitor who began the upload; on the other side nobody goes on with it. */
  sender: {
    ...strangers,
    visitor: 'ok',
    otherVisitor: 404,
    handler: 404,
    otherHandler: 404,
    admin: 404,
    unverified: 403,
  },
  /** Anybody with a token, for themselves. */
  persons: { ...strangers, visitor: 'ok', otherVisitor: 'ok', ...allStaff, unverified: 403 },
  /** Any member of staff, for themselves or about what all may know. */
  staff: { ...strangers, ...noVisitor, ...allStaff, unverified: 403 },
  /** Also one who has still to set up the second factor. */
  account: { ...strangers, ...noVisitor, ...allStaff, unverified: 'ok' },
  admin: { ...strangers, ...noVisitor, handler: 403, otherHandler: 403, admin: 'ok', unverified: 403 },
  /** Whoever has a staff cookie that still counts. */
  staffCookie: { ...strangers, visitor: 401, otherVisitor: 401, ...allStaff, unverified: 'ok' },
  /** For nobody any more, whoever asks. */
  shut: {
    anonymous: 409,
    signedOut: 409,
    visitor: 409,
    otherVisitor: 409,
    handler: 409,
    otherHandler: 409,
    admin: 409,
    unverified: 409,
  },
  /** The signature in the address is the key, whoever holds it; without one it is nobody's. */
  signature: {
    anonymous: 403,
    signedOut: 403,
    visitor: 403,
    otherVisitor: 403,
    handler: 403,
    otherHandler: 403,
    admin: 403,
    unverified: 403,
  },
} as const satisfies Record<string, Answers>;

export type Who = keyof typeof WHO;
