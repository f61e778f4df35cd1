import * as v from 'valibot';
import { Line } from '../frames/line.ts';
import { NewPassword } from '../model/password.ts';
import { call, none, success } from './call.ts';
import { ProfileName } from './profileCalls.ts';

export const SETUP_NAME_MAX = 100;

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** What the first run and the admin area's frame ask. */
export const setupCalls = {
  /** Whether this installation still waits for its first administrator. Nothing else of it. */
  readSetup: call({
    method: 'GET',
    path: '/setup',
    auth: 'none',
    body: none,
    query: none,
    answer: v.object({ success, needed: v.boolean() }),
  }),
  /** The code that the server prints makes the first administrator, once, and signs them in. */
  setUp: call({
    method: 'POST',
    path: '/setup',
    auth: 'none',
    query: none,
    body: v.strictObject({
      code: v.pipe(v.string(), v.nonEmpty(), v.maxLength(64)),
      name: v.pipe(Line, v.nonEmpty(), v.maxLength(SETUP_NAME_MAX)),
      email: v.pipe(Line, v.nonEmpty(), v.maxLength(254)),
      password: NewPassword,
      /** What visitors will read at the top, so that the default is never shown to anyone. */
      profileName: v.optional(ProfileName),
    }),
    answer: v.object({ success }),
  }),
  /** What is done of the three things that a new installation needs. */
  readFirstSteps: call({
    method: 'GET',
    path: '/manage/first-steps',
    auth: 'admin',
    body: none,
    query: none,
    answer: v.object({ success, profile: v.boolean(), handler: v.boolean(), invite: v.boolean() }),
  }),
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
