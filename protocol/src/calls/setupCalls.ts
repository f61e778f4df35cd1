import * as v from 'valibot';
import { NewPassword } from '../model/password.ts';
import { Email, PersonName } from '../model/person.ts';
import { call } from './call.ts';
import { ProfileName } from './profileCalls.ts';

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Calls of the first setup. */
export const setupCalls = {
  /** Whether this installation has no administrator yet. Reveals nothing else. */
  readSetup: call({
    route: 'GET /setup',
    summary: 'Read whether the installation still needs its first administrator.',
    auth: 'none',
    answer: { needed: v.boolean() },
  }),
  /** Creates the first administrator with the code that the server prints, and signs them in. Works once. */
  setUp: call({
    route: 'POST /setup',
    summary: 'Create the first administrator with the code that the server prints.',
    auth: 'none',
    rate: ['strangerCalls', 'setup', 'setups'],
    refusals: ['setup_done', 'code_invalid', 'email_taken', 'access_denied'],
    body: {
      code: v.pipe(v.string(), v.nonEmpty(), v.maxLength(64)),
      name: PersonName,
      email: Email,
      password: NewPassword,
      /** The name that visitors see. Set here, so that nobody sees the default. */
      profileName: v.optional(ProfileName),
    },
  }),
} as const;

/** For the frame of the admin area. */
export const installationCalls = {
  readFirstSteps: call({
    route: 'GET /manage/first-steps',
    summary: 'Read which setup steps are done.',
    auth: 'admin',
    answer: { profile: v.boolean(), handler: v.boolean(), invite: v.boolean() },
  }),
  readCounts: call({
    route: 'GET /manage/counts',
    summary: 'Read the number of open conversations and of handlers.',
    auth: 'admin',
    answer: { open: Count, handlers: Count, disabledWebhooks: v.optional(Count, 0) },
  }),
} as const;
