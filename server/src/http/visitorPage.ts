import { type Brand, defaultBrand } from '@settee/protocol/model/brand';
import { fillVisitorPage } from '@settee/protocol/render/visitorPage';
import type { App } from '../app.ts';
import { readBrand } from '../db/profile/brand.ts';
import { reason } from '../log/log.ts';
import { type Encoded, encode } from './encoded.ts';

/** Nobody looks at an empty window for longer than this; the page asks for the profile once more itself. */
const PATIENCE_MS = 1_000;

/**
 * The visitor's page with the public profile in it, as of now. It is the same for every token, and no invite is
 * looked at: what a link leads to is told to the page's script only, which previews do not run.
 */
export function visitorPage(app: App, template: string): () => Promise<Encoded> {
  const draw = (brand: Brand) => ({
    brand: JSON.stringify(brand),
    page: encode(fillVisitorPage(template, brand)),
  });
  // Also a trial at the start: a template that cannot be filled must not wait for its first visitor.
  let last = draw(defaultBrand);
  return async () => {
    const brand = await brandNow(app);
    if (last.brand !== JSON.stringify(brand)) last = draw(brand);
    return last.page;
  };
}

/** The profile, or the defaults where it cannot be read (in time): the page comes all the same. */
export async function brandNow(app: App): Promise<Brand> {
  let giveUp = () => {};
  const late = new Promise<Brand>((resolve) => {
    giveUp = app.clock.after(PATIENCE_MS, () => resolve(defaultBrand));
  });
  const read = readBrand(app.db).catch((error: unknown) => {
    app.log.warn({ reason: reason(error) }, 'brand not read for the page');
    return defaultBrand;
  });
  const brand = await Promise.race([read, late]);
  giveUp();
  return brand;
}
