import type { Answer, Body } from '@settee/protocol/calls/http';
import {
  AwayMessage,
  Disclosure,
  Farewell,
  Greeting,
  KeepDays,
  ProfileName,
  ReopenDays,
  WaitingMinutes,
} from '@settee/protocol/calls/profileCalls';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { texts } from '@settee/protocol/texts/texts';
import * as v from 'valibot';

export type ProfileSettings = Pick<Answer<'readProfileSettings'>, 'brand' | 'settings'>;

/** The form's fields as typed. */
export type Draft = {
  displayName: string;
  verified: boolean;
  disclosure: string;
  greeting: string;
  farewell: string;
  awayMessage: string;
  reopenDays: string;
  waitingMinutes: string;
  waitingLongMinutes: string;
  keepsForEver: boolean;
  keepDays: string;
  visitorErase: boolean;
  /** Null: to be removed. Undefined: left as it is. */
  picture: Blob | null | undefined;
};
export type Problems = Partial<Record<keyof Draft, string>>;

const KEEP_DAYS_FIRST = '90';

export function draftOf({ brand, settings }: ProfileSettings): Draft {
  return {
    displayName: brand.displayName,
    verified: brand.verified,
    disclosure: brand.disclosure ?? texts.disclosure,
    greeting: brand.greeting ?? '',
    farewell: brand.farewell ?? '',
    awayMessage: brand.awayMessage ?? '',
    reopenDays: String(settings.reopenDays),
    waitingMinutes: String(settings.waitingMinutes),
    waitingLongMinutes: String(settings.waitingLongMinutes),
    keepsForEver: settings.keepDays === null,
    keepDays: settings.keepDays === null ? KEEP_DAYS_FIRST : String(settings.keepDays),
    visitorErase: settings.visitorErase,
    picture: undefined,
  };
}

/** The changed fields. Other fields follow what colleagues save. */
export function changesOf(saved: ProfileSettings, changes: Partial<Draft>): Partial<Draft> {
  const before = draftOf(saved);
  const keys = Object.keys(changes) as (keyof Draft)[];
  return Object.fromEntries(
    keys.filter((key) => changes[key] !== before[key]).map((key) => [key, changes[key]]),
  );
}

/** Fields typed after `sent` was sent. They are still unsaved. */
export function typedSince(sent: Draft, edits: Partial<Draft>): Partial<Draft> {
  const keys = Object.keys(edits) as (keyof Draft)[];
  return Object.fromEntries(keys.filter((key) => edits[key] !== sent[key]).map((key) => [key, edits[key]]));
}

export function problemsOf(draft: Draft): Problems {
  const problems: Problems = {
    ...problem('displayName', ProfileName, draft.displayName),
    ...problem('disclosure', Disclosure, draft.disclosure),
    ...problem('greeting', Greeting, draft.greeting),
    ...problem('farewell', Farewell, draft.farewell),
    ...problem('awayMessage', AwayMessage, draft.awayMessage),
    ...problem('reopenDays', ReopenDays, numberOf(draft.reopenDays)),
    ...problem('waitingMinutes', WaitingMinutes, numberOf(draft.waitingMinutes)),
    ...problem('waitingLongMinutes', WaitingMinutes, numberOf(draft.waitingLongMinutes)),
    ...(!draft.keepsForEver && problem('keepDays', KeepDays, numberOf(draft.keepDays))),
  };
  const ordered = numberOf(draft.waitingLongMinutes) > numberOf(draft.waitingMinutes);
  if (!problems.waitingMinutes && !problems.waitingLongMinutes && !ordered) {
    problems.waitingLongMinutes = profileTexts.waitingOrder;
  }
  return problems;
}

/** Changed fields only, so that two administrators do not undo each other's changes. */
export function bodyOf(saved: ProfileSettings, draft: Draft): Body<'saveProfileSettings'> {
  const before = draftOf(saved);
  const changed = (key: keyof Draft): boolean => draft[key] !== before[key];
  return {
    ...(changed('displayName') && { displayName: draft.displayName }),
    ...(changed('verified') && { verified: draft.verified }),
    ...(changed('disclosure') && {
      disclosure: draft.disclosure === texts.disclosure ? null : draft.disclosure,
    }),
    ...(changed('greeting') && { greeting: draft.greeting }),
    ...(changed('farewell') && { farewell: draft.farewell }),
    ...(changed('awayMessage') && { awayMessage: draft.awayMessage }),
    ...(changed('reopenDays') && { reopenDays: numberOf(draft.reopenDays) }),
    ...(changed('waitingMinutes') && { waitingMinutes: numberOf(draft.waitingMinutes) }),
    ...(changed('waitingLongMinutes') && { waitingLongMinutes: numberOf(draft.waitingLongMinutes) }),
    ...((changed('keepsForEver') || changed('keepDays')) && {
      keepDays: draft.keepsForEver ? null : numberOf(draft.keepDays),
    }),
    ...(changed('visitorErase') && { visitorErase: draft.visitorErase }),
  };
}

/** Whether conversations would be kept for a shorter time. Null means forever, undefined no change. */
export function shortensRetention(before: number | null, after: number | null | undefined): after is number {
  return typeof after === 'number' && (before === null || after < before);
}

function problem(key: keyof Draft, schema: v.GenericSchema, value: unknown): Problems {
  const result = v.safeParse(schema, value);
  return result.success ? {} : { [key]: result.issues[0].message };
}

/** -1 for an invalid number; no field accepts it. */
function numberOf(text: string): number {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : -1;
}
