import * as v from 'valibot';
import { Time } from './ids.ts';
import { texts } from './texts.ts';

/** The public profile that handlers answer for. */
export const Brand = v.object({
  displayName: v.string(),
  /** With a version parameter made from updatedAt, so that a changed picture is fetched anew. */
  avatarUrl: v.nullable(v.string()),
  verified: v.boolean(),
  /** Who answers, in the administrator's words; null stands for ours, the empty text for none. */
  disclosure: v.optional(v.nullable(v.string()), null),
  updatedAt: Time,
});
export type Brand = v.InferOutput<typeof Brand>;

/** What the page shows until the settings arrive, and when they cannot be read. */
export const defaultBrand: Brand = {
  displayName: texts.brandDefaultName,
  avatarUrl: null,
  verified: true,
  disclosure: null,
  updatedAt: 0,
};

/** A verified badge over a team's replies must not mislead: this line stands where a chat begins. */
export function disclosureOf(brand: Pick<Brand, 'disclosure' | 'displayName'>): string {
  return (brand.disclosure ?? texts.disclosure).replaceAll('{name}', () => brand.displayName);
}
