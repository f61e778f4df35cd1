import { Brand } from '@settee/protocol/brand';
import * as v from 'valibot';

/** The public profile as the server put it into the page, so that nobody waits for a call to see whose chat it is. */
export function servedBrand(app: HTMLElement | null): Brand | undefined {
  const served = v.safeParse(v.pipe(v.string(), v.parseJson(), Brand), app?.dataset.brand);
  return served.success ? served.output : undefined;
}
