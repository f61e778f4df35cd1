import type { Account } from '@settee/protocol/calls/accountCalls';
import type { Api } from '../../net/api.ts';

/** What every part of the page is given: the account, the way to change it, and whom to tell after. */
export type PartProps = {
  account: Account;
  ask: Api;
  onChanged: (recoveryCodes?: string[] | null) => Promise<void>;
};
