import { setupCalls } from '@settee/protocol/calls/setupCalls';
import { visitorCalls } from '@settee/protocol/calls/visitorCalls';
import type { Brand } from '@settee/protocol/model/brand';
import { createApi } from '../net/api.ts';

export type Welcome = {
  /** Undefined while it is not known, or cannot be read: the page is of use without it. */
  brand: Brand | undefined;
  /** Somebody is there to answer. */
  online: boolean;
  setupNeeded: boolean;
};

const { readBrand } = visitorCalls;
const { readSetup } = setupCalls;
const ask = createApi({ readBrand, readSetup }, {});

export async function readWelcome(): Promise<Welcome> {
  const [brand, setup] = await Promise.all([ask('readBrand', {}), ask('readSetup', {})]);
  return {
    brand: brand.ok ? brand.answer.brand : undefined,
    online: brand.ok && brand.answer.online,
    setupNeeded: setup.ok && setup.answer.needed,
  };
}
