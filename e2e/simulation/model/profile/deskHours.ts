import type * as real from '../../../../server/src/db/profile/deskHours.ts';
import { modelled } from '../modelDatabase.ts';

export * from '../../../../server/src/db/profile/deskHours.ts';

export const readHoursRev: typeof real.readHoursRev = modelled('readHoursRev', ({ hoursRev }) => hoursRev);
