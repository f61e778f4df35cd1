import { type Brand, disclosureOf } from '../model/brand.ts';
import { initials } from '../model/initials.ts';
import { fillPage } from './fillPage.ts';

/**
 * Fills the public profile of the link into the visitor's page (web/visitor.html). The gateway does this for every request,
 * the dev server with the defaults. Only the profile is filled in: nothing else that depends on the invite may reach the
 * page.
 */
export function fillVisitorPage(template: string, brand: Brand, texts?: { disclosure: string }): string {
  const picture = brand.avatarUrl !== null;
  return fillPage(template, {
    parts: { picture, letters: !picture, verified: brand.verified },
    values: {
      name: brand.displayName,
      initials: initials(brand.displayName),
      avatarUrl: brand.avatarUrl ?? '',
      disclosure: disclosureOf(brand, texts),
      brand: JSON.stringify(brand),
    },
  });
}
