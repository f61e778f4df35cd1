import type * as real from '../../../../server/src/db/audit/audit.ts';
import { modelled } from '../modelDatabase.ts';

export const insertAudit: typeof real.insertAudit = modelled(
  'insertAudit',
  ({ audit }, { actor, action, target }) =>
    audit.set(String(audit.keys().length + 1), { actor, action, target }),
);
