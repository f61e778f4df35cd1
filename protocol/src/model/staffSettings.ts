import * as v from 'valibot';

const Minutes = v.pipe(v.number(), v.integer(), v.minValue(1));

/** After how many minutes a visitor counts as waiting, and as waiting too long. */
export const StaffSettings = v.object({ waitingMinutes: Minutes, waitingLongMinutes: Minutes });
export type StaffSettings = v.InferOutput<typeof StaffSettings>;

export const defaultSettings: StaffSettings = { waitingMinutes: 5, waitingLongMinutes: 15 };
