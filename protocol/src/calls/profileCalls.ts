import * as v from 'valibot';
import { Brand } from '../model/brand.ts';
import { cleanMessageText } from '../model/cleanText.ts';
import { Language } from '../model/language.ts';
import { Line } from '../model/line.ts';
import { StaffSettings } from '../model/staffSettings.ts';
import { profileTexts } from '../texts/profileTexts.ts';
import { call } from './call.ts';

export const PROFILE_NAME_MAX = 80;
export const DISCLOSURE_MAX = 200;
export const GREETING_MAX = 500;
export const FAREWELL_MAX = 300;
export const AWAY_MESSAGE_MAX = 200;
export const REOPEN_DAYS_MAX = 365;
export const WAITING_MINUTES_MAX = 24 * 60;
export const KEEP_DAYS_MAX = 3_650;
/** 2 MB, as in the help text. */
export const AVATAR_MAX_BYTES = 2 * 1_024 * 1_024;

/** One line, for title bars and lock screens. */
export const ProfileName = v.pipe(
  Line,
  v.minLength(1, profileTexts.nameLength),
  v.maxLength(PROFILE_NAME_MAX, profileTexts.nameLength),
);
export const Disclosure = v.pipe(Line, v.maxLength(DISCLOSURE_MAX, profileTexts.disclosureLength));
/** Several lines. A blank line in the greeting starts a new bubble. */
const MultilineText = v.pipe(v.string(), v.transform(cleanMessageText));
export const Greeting = v.pipe(MultilineText, v.maxLength(GREETING_MAX, profileTexts.greetingLength));
export const Farewell = v.pipe(MultilineText, v.maxLength(FAREWELL_MAX, profileTexts.farewellLength));
export const AwayMessage = v.pipe(Line, v.maxLength(AWAY_MESSAGE_MAX, profileTexts.awayMessageLength));

function within(min: number, max: number, text: string) {
  return v.pipe(v.number(), v.integer(text), v.minValue(min, text), v.maxValue(max, text));
}
export const ReopenDays = within(0, REOPEN_DAYS_MAX, profileTexts.reopenRange);
export const WaitingMinutes = within(1, WAITING_MINUTES_MAX, profileTexts.waitingRange);
export const KeepDays = within(1, KEEP_DAYS_MAX, profileTexts.keepRange);

/** Settings of the installation, besides the public profile. */
export const ProfileSettings = v.object({
  ...StaffSettings.entries,
  /** How long after closing a visitor's message reopens the conversation. */
  reopenDays: v.number(),
  /** Null means forever. */
  keepDays: v.nullable(v.number()),
  /** Whether visitors may delete their conversations. */
  visitorErase: v.optional(v.boolean(), true),
  /** For visitors whose browser asks for no language that Settee has. */
  language: v.optional(Language, 'en'),
  /** Whether visitors may leave an e-mail address. Has no effect if the installation sends no mail. */
  visitorMail: v.optional(v.boolean(), false),
});
export type ProfileSettings = v.InferOutput<typeof ProfileSettings>;

const both = { brand: Brand, settings: ProfileSettings };

export const profileCalls = {
  readProfileSettings: call({
    route: 'GET /manage/profile',
    summary: 'Read the public profile and its settings.',
    auth: 'admin',
    answer: both,
  }),
  /** Changes only the given fields. */
  saveProfileSettings: call({
    route: 'PUT /manage/profile',
    summary: 'Change the public profile or its settings.',
    auth: 'admin',
    body: {
      displayName: v.optional(ProfileName),
      verified: v.optional(v.boolean()),
      /** Null means the default text, an empty text means no line. */
      disclosure: v.optional(v.nullable(Disclosure)),
      /** An empty text means none, here and in the next fields. */
      greeting: v.optional(Greeting),
      farewell: v.optional(Farewell),
      awayMessage: v.optional(AwayMessage),
      reopenDays: v.optional(ReopenDays),
      waitingMinutes: v.optional(WaitingMinutes),
      waitingLongMinutes: v.optional(WaitingMinutes),
      keepDays: v.optional(v.nullable(KeepDays)),
      visitorErase: v.optional(v.boolean()),
      language: v.optional(Language),
      visitorMail: v.optional(v.boolean()),
    },
    answer: both,
  }),
  /** The file as selected and cropped. The server stores and shows a square image made from it. */
  setAvatar: call({
    route: 'PUT /manage/profile/avatar',
    summary: 'Set the avatar of the profile. The body is an image file.',
    auth: 'admin',
    refusals: ['image_type', 'image_size', 'media_refused'],
    bytes: AVATAR_MAX_BYTES,
    tooManyBytes: { code: 'image_size', text: profileTexts.pictureTooLarge },
    answer: both,
  }),
  removeAvatar: call({
    route: 'DELETE /manage/profile/avatar',
    summary: 'Remove the avatar of the profile.',
    auth: 'admin',
    answer: both,
  }),
} as const;
