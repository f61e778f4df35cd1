import * as v from 'valibot';
import { Line } from '../frames/line.ts';
import { texts } from '../texts/texts.ts';
import { Time, Uuid } from './ids.ts';

export const DISPLAY_NAME_MIN = 2;
export const DISPLAY_NAME_MAX = 40;

export const LOOKS_LIKE_CONTACT = /http|@|\.com/i;

/** Trimmed names that count as no name. */
export const UNNAMED = new Set(['', 'Guest']);

export const DisplayName = v.pipe(
  Line,
  v.minLength(DISPLAY_NAME_MIN, texts.nameTooShort),
  v.maxLength(DISPLAY_NAME_MAX, texts.nameTooLong),
  v.check((name) => !UNNAMED.has(name), texts.nameReserved),
  v.check((name) => !LOOKS_LIKE_CONTACT.test(name), texts.nameHasContact),
);

/** The text to show under the name field; undefined if the name is valid. */
export function displayNameProblem(raw: string): string | undefined {
  return v.safeParse(DisplayName, raw).issues?.[0].message;
}

/** Keyed by visitorId. */
export const VisitorProfile = v.object({
  visitorId: Uuid,
  displayName: v.string(),
  createdAt: Time,
  /** The push token; null while notifications are off. */
  fcmToken: v.nullable(v.string()),
});
export type VisitorProfile = v.InferOutput<typeof VisitorProfile>;

const LABEL_ID_LENGTH = 8;

export function isUnnamed(visitorName: string): boolean {
  return UNNAMED.has(visitorName.trim());
}

/** 'V-' and the start of the id: the label of a visitor without a name. */
export function visitorLabel(visitorId: string): string {
  return `V-${visitorId.slice(0, LABEL_ID_LENGTH).toUpperCase()}`;
}

export function visitorNameOrLabel(visitor: { visitorId: string; visitorName: string }): string {
  return isUnnamed(visitor.visitorName) ? visitorLabel(visitor.visitorId) : visitor.visitorName.trim();
}
