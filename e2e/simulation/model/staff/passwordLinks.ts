import type * as real from '../../../../server/src/db/staff/passwordLinks.ts';
import { modelled } from '../modelDatabase.ts';

export * from '../../../../server/src/db/staff/passwordLinks.ts';

/** Nobody gets a link. */
export const dropPasswordLink: typeof real.dropPasswordLink = modelled('dropPasswordLink', () => {});
