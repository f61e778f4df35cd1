import { type Brand, defaultBrand } from '@settee/protocol/brand';
import type { Api } from '../net/api.ts';

export type Profile = { brand: Brand; online: boolean };

/** When the server does not say: an unknown presence reads as online in the chat's header. */
const unknownProfile: Profile = { brand: defaultBrand, online: true };

/** Nobody waits longer than this for a name and a picture; the socket brings them later. */
const PATIENCE_MS = 2_000;

export async function loadProfile(api: Api<'readBrand'>): Promise<Profile> {
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), PATIENCE_MS));
  const read = await Promise.race([api('readBrand', {}), late]);
  return read?.ok ? read.answer : unknownProfile;
}
