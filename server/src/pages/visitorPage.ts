import { type Brand, defaultBrand } from '@settee/protocol/model/brand';
import { translatedPage } from '@settee/protocol/render/translatedPage';
import { fillVisitorPage } from '@settee/protocol/render/visitorPage';
import type { Language } from '@settee/protocol/texts/languages';
import { visitorCatalogues } from '@settee/protocol/translations/translations';
import type { App } from '../platform/app.ts';
import { type CompressedPage, compress } from '../platform/http/compression.ts';
import { withTimeout } from '../platform/limits/concurrency.ts';
import { reason } from '../platform/log/log.ts';
import { readProfile } from '../profile/brand.store.ts';

/** The page is served without the profile after this time. Its script then reads the profile itself. */
const BRAND_TIMEOUT_MS = 1_000;

/**
 * The visitor's page with the current public profile. It is the same for every token and looks no invite up: link
 * previews, which run no script, learn nothing about the invite.
 */
export function visitorPage(
  app: App,
  template: string,
): (language: Language | undefined) => Promise<CompressedPage> {
  const pages = new Map<Language, { brand: string; page: CompressedPage }>();
  const render = (brand: Brand, language: Language): CompressedPage => {
    const translated = translatedPage(template, language, 'visitor');
    const page = compress(fillVisitorPage(translated, brand, visitorCatalogues[language].texts));
    pages.set(language, { brand: JSON.stringify(brand), page });
    return page;
  };
  // Rendering once at the start also finds a broken template.
  render(defaultBrand, 'en');
  return async (asked) => {
    const { brand, settings } = await readProfileOrDefault(app);
    const language = asked ?? settings.language;
    const last = pages.get(language);
    return last?.brand === JSON.stringify(brand) ? last.page : render(brand, language);
  };
}

/** The profile, or the default when PostgreSQL does not answer in time. */
async function readProfileOrDefault(app: App): Promise<{ brand: Brand; settings: { language: Language } }> {
  try {
    return await withTimeout(BRAND_TIMEOUT_MS, readProfile(app.db));
  } catch (error) {
    app.log.warn({ reason: reason(error) }, 'profile not read for the page');
    return { brand: defaultBrand, settings: { language: 'en' } };
  }
}

export async function readBrandOrDefault(app: App): Promise<Brand> {
  return (await readProfileOrDefault(app)).brand;
}
