import * as v from 'valibot';
import { Brand } from '../model/brand.ts';
import { cleanMessageText } from '../model/cleanText.ts';
import { DeskName } from '../model/deskName.ts';
import { Language } from '../model/language.ts';
import { Line } from '../model/line.ts';
import { ManagedProfile, Slug } from '../model/profile.ts';
import { Alias } from '../model/staff.ts';
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
/** Without it, the first profile. */
const which = { profile: v.optional(Slug) };

export const profileCalls = {
  listProfiles: call({
    route: 'GET /manage/profiles',
    summary: 'Read every public profile with its desks, who is on duty and what waits there.',
    auth: 'admin',
    /** The first profile, then the others by name, archived ones last. */
    answer: { profiles: v.array(ManagedProfile) },
  }),
  /** Refused while a program of an earlier release runs, which would show every visitor the first profile. */
  createProfile: call({
    route: 'POST /manage/profiles',
    summary: 'Add a public profile with a first desk. A desk keeps its profile for good.',
    auth: 'admin',
    body: {
      displayName: ProfileName,
      /** Without it, made from the name. */
      slug: v.optional(Slug),
      /** The name of the first desk, from which its alias is made. Without it, that of the profile. */
      deskName: v.optional(DeskName),
    },
    answer: { slug: Slug, alias: Alias },
  }),
  /**
   * For a profile that is no longer needed. It gets no new desks and no new invites, and choices do not offer it. For
   * visitors nothing changes: every link that exists keeps working, and its desks answer.
   */
  archiveProfile: call({
    route: 'POST /manage/profiles/:slug/archive',
    summary: 'Archive a public profile: no new desks and no new invites. Its links and conversations go on.',
    auth: 'admin',
  }),
  unarchiveProfile: call({
    route: 'POST /manage/profiles/:slug/unarchive',
    summary: 'Bring an archived public profile back.',
    auth: 'admin',
  }),
  readProfileSettings: call({
    route: 'GET /manage/profile',
    summary: 'Read a public profile and its settings: the first one, or another.',
    auth: 'admin',
    query: which,
    answer: both,
  }),
  /** Changes only the given fields. */
  saveProfileSettings: call({
    route: 'PUT /manage/profile',
    summary: 'Change a public profile or its settings.',
    auth: 'admin',
    query: which,
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
    summary: 'Set the avatar of a profile. The body is an image file.',
    auth: 'admin',
    query: which,
    refusals: ['image_type', 'image_size', 'media_refused'],
    bytes: AVATAR_MAX_BYTES,
    tooManyBytes: { code: 'image_size', text: profileTexts.pictureTooLarge },
    answer: both,
  }),
  removeAvatar: call({
    route: 'DELETE /manage/profile/avatar',
    summary: 'Remove the avatar of a profile.',
    auth: 'admin',
    query: which,
    answer: both,
  }),
} as const;
