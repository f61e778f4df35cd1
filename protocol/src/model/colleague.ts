import * as v from 'valibot';

/** What a staff member does in a conversation, for their colleagues at the desk. */
export const Doing = v.picklist(['viewing', 'replying', 'left']);
export type Doing = v.InferOutput<typeof Doing>;

/** How often a console reports that it is there, and how long each state lasts without another report. */
export const ATTEND_EVERY_MS = 10_000;
export const VIEWING_LASTS_MS = 25_000;
export const REPLYING_LASTS_MS = 6_000;
