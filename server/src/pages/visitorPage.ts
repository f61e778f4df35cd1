import { type Brand, defaultBrand } from '@settee/protocol/model/brand';
import { translatedPage } from '@settee/protocol/render/translatedPage';
import { fillVisitorPage } from '@settee/protocol/render/visitorPage';
import type { Language } from '@settee/protocol/texts/languages';
import { visitorCatalogues } from '@settee/protocol/translations/translations';
import type { App } from '../platform/app.ts';
import { linkOf } from '../platform/auth/inviteToken.ts';
import { type CompressedPage, compress } from '../platform/http/compression.ts';
import { withTimeout } from '../platform/limits/concurrency.ts';
import { reason } from '../platform/log/log.ts';
import { type Profile, readProfileOfLink } from '../profile/brand.store.ts';

/** The page is served without the profile after this time. Its script then reads the profile itself. */
const BRAND_TIMEOUT_MS = 1_000;

/**
 * The visitor's page with the current public profile: that of the desk of the invite, or the first one where there is no
 * valid invite. Link previews, which run no script, learn nothing else about the invite.
 */
export function visitorPage(
  app: App,
  template: string,
): (language: Language | undefined, token: string) => Promise<CompressedPage> {
  /** By language and profile. */
  const pages = new Map<string, { brand: string; page: CompressedPage }>();
  const keyOf = ({ mark = '' }: Brand, language: Language) => `${language} ${mark}`;
  const render = (brand: Brand, language: Language): CompressedPage => {
    const translated = translatedPage(template, language, 'visitor');
    const page = compress(fillVisitorPage(translated, brand, visitorCatalogues[language].texts));
    pages.set(keyOf(brand, language), { brand: JSON.stringify(brand), page });
    return page;
  };
  // Rendering once at the start also finds a broken template.
  render(defaultBrand, 'en');
  return async (asked, token) => {
    const { brand, settings } = await readProfileOrDefault(app, token);
    const language = asked ?? settings.language;
    const last = pages.get(keyOf(brand, language));
    return last?.brand === JSON.stringify(brand) ? last.page : render(brand, language);
  };
}

/** The profile, or the default when PostgreSQL does not answer in time. */
async function readProfileOrDefault(
  app: App,
  token: string,
): Promise<{ brand: Brand; settings: Pick<Profile['settings'], 'language'> }> {
  try {
    return await withTimeout(BRAND_TIMEOUT_MS, readProfileOfLink(app.db, linkOf(token)));
  } catch (error) {
    app.log.warn({ reason: reason(error) }, 'profile not read for the page');
    return { brand: defaultBrand, settings: { language: 'en' } };
  }
}

export async function readBrandOrDefault(app: App, token: string): Promise<Brand> {
  return (await readProfileOrDefault(app, token)).brand;
}
