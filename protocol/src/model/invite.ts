import * as v from 'valibot';

/** Stored states. Expiry is a date, not a state. It applies only to NEW and SEEN. */
export const InviteState = v.picklist(['NEW', 'SEEN', 'BOUND', 'REVOKED']);
export type InviteState = v.InferOutput<typeof InviteState>;

export const CONTINUE_CODE_LENGTH = 4;

/** How many wrong codes in a row lock an invite's code, for how long, and how many in total void it. */
export const CODE_FAILURES_TO_LOCK = 5;
export const CODE_LOCK_MINUTES = 15;
export const CODE_FAILURES_TO_VOID = 10;
/** Wrong codes in the life of a link, of all its codes together. Then only staff can make a code that works. */
export const CODE_FAILURES_OF_LINK = 50;

export const INVITE_DEFAULT_DAYS = 30;
export const INVITE_DAYS_MAX = 3_650;

/** A cell tag of two characters, then 192 random bits. A proxy can route by the tag. */
export const InviteToken = v.pipe(v.string(), v.regex(/^[0-9a-z]{2}[A-Za-z0-9_-]{32}$/));
