import { Brand } from '@settee/protocol/model/brand';
import * as v from 'valibot';
import { attempt } from '../chat/model/attempt.ts';

/** The public profile as the server put it into the page, so that nobody waits for a call to see whose chat it is. */
export function servedBrand(app: HTMLElement | null): Brand | undefined {
  const served = v.safeParse(
    Brand,
    attempt((): unknown => JSON.parse(app?.dataset.brand ?? '')),
  );
  return served.success ? served.output : undefined;
}
