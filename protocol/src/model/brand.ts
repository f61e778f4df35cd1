import * as v from 'valibot';
import { texts } from '../texts/texts.ts';
import { Time } from './ids.ts';

/** The public profile. */
export const Brand = v.object({
  displayName: v.string(),
  /** Has a version parameter made from updatedAt, so that browsers fetch a changed image again. */
  avatarUrl: v.nullable(v.string()),
  verified: v.boolean(),
  /** The administrator's text about who answers; null for the default text, empty for none. */
  disclosure: v.optional(v.nullable(v.string()), null),
  /** Shown as incoming bubbles above an empty chat. Not a message. A blank line starts a new bubble. */
  greeting: v.optional(v.nullable(v.string()), null),
  /** Shown when a chat is closed. */
  farewell: v.optional(v.nullable(v.string()), null),
  /** Shown outside the opening hours. A conversation's `away` has the text to show. */
  awayMessage: v.optional(v.nullable(v.string()), null),
  /** The median first reply of the last 30 days, rounded up to a coarse step; null when unknown. */
  usualReplyMinutes: v.optional(v.nullable(v.number()), null),
  updatedAt: Time,
  /** Differs between profiles; the first one has none. A newer `updatedAt` counts only within a profile. */
  mark: v.optional(v.string()),
});
export type Brand = v.InferOutput<typeof Brand>;

/** Shown until the profile arrives, or if it cannot be read. */
export const defaultBrand: Brand = {
  displayName: texts.brandDefaultName,
  avatarUrl: null,
  verified: true,
  disclosure: null,
  greeting: null,
  farewell: null,
  awayMessage: null,
  usualReplyMinutes: null,
  updatedAt: 0,
};

/** Shown where a chat begins, so that the verified badge over a team's replies does not mislead. */
export function disclosureOf(
  brand: Pick<Brand, 'disclosure' | 'displayName'>,
  { disclosure }: { disclosure: string } = texts,
): string {
  return (brand.disclosure ?? disclosure).replaceAll('{name}', () => brand.displayName);
}
