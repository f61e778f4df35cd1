import * as v from 'valibot';

/** What a member of staff does in a conversation, as the others at the desk see it. */
export const Doing = v.picklist(['viewing', 'replying', 'left']);
export type Doing = v.InferOutput<typeof Doing>;

/** A console says again that it is there this often; whoever is not heard for this long is not there. */
export const ATTEND_EVERY_MS = 10_000;
export const VIEWING_LASTS_MS = 25_000;
export const REPLYING_LASTS_MS = 6_000;
