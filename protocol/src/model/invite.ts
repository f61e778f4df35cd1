import * as v from 'valibot';

/** Stored states. Expiry is a date, not a state: it counts for NEW and SEEN only. */
export const InviteState = v.picklist(['NEW', 'SEEN', 'BOUND', 'REVOKED']);
export type InviteState = v.InferOutput<typeof InviteState>;

export const CONTINUE_CODE_LENGTH = 4;

/** Wrong codes in a row that lock an invite's code, for how long, and in its whole life that void it. */
export const CODE_FAILURES_TO_LOCK = 5;
export const CODE_LOCK_MINUTES = 15;
export const CODE_FAILURES_TO_VOID = 10;

export const INVITE_DEFAULT_DAYS = 30;
export const INVITE_DAYS_MAX = 3_650;

/** Two characters of cell tag, then 192 random bits: an edge can route by the tag. */
export const InviteToken = v.pipe(v.string(), v.regex(/^[0-9a-z]{2}[A-Za-z0-9_-]{32}$/));
