import { type Brand, defaultBrand } from '@settee/protocol/model/brand';
import { fillVisitorPage } from '@settee/protocol/render/visitorPage';
import type { App } from '../app.ts';
import { readBrand } from '../db/profile/brand.ts';
import { withTimeout } from '../limits/concurrency.ts';
import { reason } from '../log/log.ts';
import { type CompressedPage, compress } from './compression.ts';

/** The page is served without the profile after this time. Its script then reads the profile itself. */
const BRAND_TIMEOUT_MS = 1_000;

/**
 * The visitor's page with the current public profile. It is the same for every token and looks no invite up: link
 * previews, which run no script, learn nothing about the invite.
 */
export function visitorPage(app: App, template: string): () => Promise<CompressedPage> {
  const render = (brand: Brand) => ({
    brand: JSON.stringify(brand),
    page: compress(fillVisitorPage(template, brand)),
  });
  // Rendering once at the start also finds a broken template.
  let last = render(defaultBrand);
  return async () => {
    const brand = await readBrandOrDefault(app);
    if (last.brand !== JSON.stringify(brand)) last = render(brand);
    return last.page;
  };
}

/** The profile, or the default when PostgreSQL does not answer in time. */
export async function readBrandOrDefault(app: App): Promise<Brand> {
  try {
    return await withTimeout(BRAND_TIMEOUT_MS, readBrand(app.db));
  } catch (error) {
    app.log.warn({ reason: reason(error) }, 'profile not read for the page');
    return defaultBrand;
  }
}
