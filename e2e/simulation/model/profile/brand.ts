import type * as real from '../../../../server/src/db/profile/brand.ts';
import { modelled } from '../modelDatabase.ts';

export * from '../../../../server/src/db/profile/brand.ts';

export const readProfile: typeof real.readProfile = modelled('readProfile', ({ profile }) => profile);

export const readBrand: typeof real.readBrand = modelled('readBrand', ({ profile }) => profile.brand);
