import type * as real from '../../../../server/src/db/staff/accounts.ts';
import { modelled } from '../modelDatabase.ts';
import type { State } from '../state.ts';

export * from '../../../../server/src/db/staff/accounts.ts';

function rowOf({ staff }: State, staffId: string): real.AccountRow | undefined {
  const person = staff.get(staffId);
  if (person === undefined) return undefined;
  const { graceFrom: _, hasFactor: __, ...row } = person;
  return { ...row, waitingMail: false };
}

export const readAccountRow: typeof real.readAccountRow = modelled('readAccountRow', rowOf);

export const lockAccountShared: typeof real.lockAccountShared = modelled('lockAccountShared', rowOf);

export const lockAccount: typeof real.lockAccount = modelled('lockAccount', rowOf);
