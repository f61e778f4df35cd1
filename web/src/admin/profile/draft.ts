import type { Answer, Body } from '@settee/protocol/calls/http';
import { profileCalls } from '@settee/protocol/calls/profileCalls';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { texts } from '@settee/protocol/texts/texts';
import * as v from 'valibot';
import { changedFields } from '../changedFields.ts';

export type ProfileSettings = Pick<Answer<'readProfileSettings'>, 'brand' | 'settings'>;

/** The form's fields as typed. */
export type Draft = ReturnType<typeof draftOf>;
/** The fields that are typed. */
export type TextKey = Exclude<
  keyof Draft,
  'verified' | 'keepsForEver' | 'visitorErase' | 'visitorMail' | 'language' | 'picture'
>;
export type Problems = Partial<Record<keyof Draft, string>>;

const KEEP_DAYS_FIRST = '90';

export function draftOf({ brand, settings }: ProfileSettings) {
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
    language: settings.language,
    visitorMail: settings.visitorMail,
    /** Null: to be removed. Undefined: left as it is. */
    picture: undefined as Blob | null | undefined,
  };
}

/** The first problem of each field. */
export function problemsOf(draft: Draft): Problems {
  const sent = sentOf(draft);
  const problems: Problems = {};
  for (const { path, message } of v.safeParse(profileCalls.saveProfileSettings.body, sent).issues ?? []) {
    problems[path?.[0].key as keyof Draft] ??= message;
  }
  const ordered = sent.waitingLongMinutes > sent.waitingMinutes;
  if (!problems.waitingMinutes && !problems.waitingLongMinutes && !ordered) {
    problems.waitingLongMinutes = profileTexts.waitingOrder;
  }
  return problems;
}

/** Changed fields only, so that two administrators do not undo each other's changes. */
export function bodyOf(saved: ProfileSettings, draft: Draft): Body<'saveProfileSettings'> {
  return changedFields(sentOf(draftOf(saved)), sentOf(draft));
}

/** All fields as the call takes them. */
function sentOf({ keepsForEver, picture, ...draft }: Draft) {
  return {
    ...draft,
    disclosure: draft.disclosure === texts.disclosure ? null : draft.disclosure,
    reopenDays: numberOf(draft.reopenDays),
    waitingMinutes: numberOf(draft.waitingMinutes),
    waitingLongMinutes: numberOf(draft.waitingLongMinutes),
    keepDays: keepsForEver ? null : numberOf(draft.keepDays),
  };
}

/** Whether conversations would be kept for a shorter time. Null means forever, undefined no change. */
export function shortensRetention(before: number | null, after: number | null | undefined): after is number {
  return typeof after === 'number' && (before === null || after < before);
}

/** -1 for an invalid number; no field accepts it. */
function numberOf(text: string): number {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : -1;
}
