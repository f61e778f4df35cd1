import * as v from 'valibot';
import { call, none, success } from './call.ts';

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** What the admin area's frame and the first run ask. */
export const setupCalls = {
  /** How many conversations are open, and how many people answer. */
  readCounts: call({
    method: 'GET',
    path: '/manage/counts',
    auth: 'admin',
    body: none,
    query: none,
    answer: v.object({ success, open: Count, handlers: Count }),
  }),
} as const;
