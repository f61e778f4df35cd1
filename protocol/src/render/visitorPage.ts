import { type Brand, disclosureOf } from '../model/brand.ts';
import { initials } from '../model/initials.ts';
import { escapeHtml } from './escapeHtml.ts';

/**
 * Fills the public profile into the visitor's page (web/visitor.html). The gateway does this for every request, the dev
 * server with the defaults. Only the profile is filled in: nothing that depends on the invite may reach the page.
 */
export function fillVisitorPage(template: string, brand: Brand): string {
  const picture = brand.avatarUrl !== null;
  return fill(template, {
    parts: { picture, letters: !picture, verified: brand.verified },
    values: {
      name: brand.displayName,
      initials: initials(brand.displayName),
      avatarUrl: brand.avatarUrl ?? '',
      disclosure: disclosureOf(brand),
      brand: JSON.stringify(brand),
    },
  });
}

type Filling = { parts: Record<string, boolean>; values: Record<string, string> };

/**
 * Keeps or removes `<!--if part-->…<!--end part-->` and replaces `{{value}}` with text. Filled-in text is not processed
 * again.
 */
function fill(template: string, { parts, values }: Filling): string {
  return template
    .replace(/<!--if (\w+)-->([\s\S]*?)<!--end \1-->/g, (_, part: string, inner: string) =>
      known(parts, part) ? inner : '',
    )
    .replace(/\{\{(\w+)\}\}/g, (_, value: string) => escapeHtml(known(values, value)));
}

function known<T>(fillings: Record<string, T>, name: string): T {
  const filling = fillings[name];
  if (filling === undefined) throw new Error(`the page asks for ${name}, which nobody fills in`);
  return filling;
}
