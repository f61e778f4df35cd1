import * as v from 'valibot';
import { Line } from '../frames/line.ts';
import { Brand } from '../model/brand.ts';
import { cleanMessageText } from '../model/cleanText.ts';
import { StaffSettings } from '../model/staffSettings.ts';
import { profileTexts } from '../texts/profileTexts.ts';
import { call, none, success } from './call.ts';

export const PROFILE_NAME_MAX = 80;
export const DISCLOSURE_MAX = 200;
export const GREETING_MAX = 500;
export const FAREWELL_MAX = 300;
export const AWAY_MESSAGE_MAX = 200;
export const REOPEN_DAYS_MAX = 365;
export const WAITING_MINUTES_MAX = 24 * 60;
export const KEEP_DAYS_MAX = 3_650;
/** 2 MB, as the help text says. */
export const AVATAR_MAX_BYTES = 2 * 1_024 * 1_024;

/** One line: a name in a title bar and on a lock screen has no second one. */
export const ProfileName = v.pipe(
  Line,
  v.minLength(1, profileTexts.nameLength),
  v.maxLength(PROFILE_NAME_MAX, profileTexts.nameLength),
);
export const Disclosure = v.pipe(Line, v.maxLength(DISCLOSURE_MAX, profileTexts.disclosureLength));
/** Several lines; a blank line in the greeting starts a new bubble. */
const Words = v.pipe(v.string(), v.transform(cleanMessageText));
export const Greeting = v.pipe(Words, v.maxLength(GREETING_MAX, profileTexts.greetingLength));
export const Farewell = v.pipe(Words, v.maxLength(FAREWELL_MAX, profileTexts.farewellLength));
export const AwayMessage = v.pipe(Line, v.maxLength(AWAY_MESSAGE_MAX, profileTexts.awayMessageLength));

function within(min: number, max: number, text: string) {
  return v.pipe(v.number(), v.integer(text), v.minValue(min, text), v.maxValue(max, text));
}
export const ReopenDays = within(0, REOPEN_DAYS_MAX, profileTexts.reopenRange);
export const WaitingMinutes = within(1, WAITING_MINUTES_MAX, profileTexts.waitingRange);
export const KeepDays = within(1, KEEP_DAYS_MAX, profileTexts.keepRange);

/** What is the same for the whole installation, besides the profile that everybody sees. */
export const ProfileSettings = v.object({
  ...StaffSettings.entries,
  /** For how long after it was closed a visitor's message reopens a conversation. */
  reopenDays: v.number(),
  /** Null stands for ever. */
  keepDays: v.nullable(v.number()),
  /** Whether visitors may delete their conversations. */
  visitorErase: v.optional(v.boolean(), true),
});
export type ProfileSettings = v.InferOutput<typeof ProfileSettings>;

const both = v.object({ success, brand: Brand, settings: ProfileSettings });

export const profileCalls = {
  readProfileSettings: call({
    method: 'GET',
    path: '/manage/profile',
    auth: 'admin',
    body: none,
    query: none,
    answer: both,
  }),
  /** Changes what is given, and leaves the rest. */
  saveProfileSettings: call({
    method: 'PUT',
    path: '/manage/profile',
    auth: 'admin',
    query: none,
    body: v.strictObject({
      displayName: v.optional(ProfileName),
      verified: v.optional(v.boolean()),
      /** Null stands for our own words, the empty text for no line. */
      disclosure: v.optional(v.nullable(Disclosure)),
      /** The empty text stands for none in each of these. */
      greeting: v.optional(Greeting),
      farewell: v.optional(Farewell),
      awayMessage: v.optional(AwayMessage),
      reopenDays: v.optional(ReopenDays),
      waitingMinutes: v.optional(WaitingMinutes),
      waitingLongMinutes: v.optional(WaitingMinutes),
      keepDays: v.optional(v.nullable(KeepDays)),
      visitorErase: v.optional(v.boolean()),
    }),
    answer: both,
  }),
  /** The file as it was picked and cropped. What is kept and shown is a square picture made of it. */
  setAvatar: call({
    method: 'PUT',
    path: '/manage/profile/avatar',
    auth: 'admin',
    query: none,
    body: none,
    bytes: AVATAR_MAX_BYTES,
    tooManyBytes: { code: 'image_size', text: profileTexts.pictureTooLarge },
    answer: both,
  }),
  removeAvatar: call({
    method: 'DELETE',
    path: '/manage/profile/avatar',
    auth: 'admin',
    query: none,
    body: none,
    answer: both,
  }),
} as const;
