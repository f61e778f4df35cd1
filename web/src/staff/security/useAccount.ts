import type { Account } from '@settee/protocol/calls/accountCalls';
import { useCallback, useEffect, useState } from 'react';
import type { Api } from '../../net/api.ts';
import type { SessionStore } from '../session.ts';

export type AccountState = {
  /** Null until it was read once. */
  account: Account | null;
  failed: boolean;
  /** Answers what it read; null if that failed. */
  read: () => Promise<Account | null>;
};

export function hasFactor({ totpSince, passkeys }: Account): boolean {
  return totpSince !== null || passkeys.length > 0;
}

/** One's own account, read when the page opens and after every change made here. */
export function useAccount({ api }: SessionStore): AccountState {
  const [account, setAccount] = useState<Account | null>(null);
  const [failed, setFailed] = useState(false);

  const read = useCallback(async () => {
    setFailed(false);
    const answer = await api('readAccount', {});
    if (answer.ok) setAccount(answer.answer.account);
    else setFailed(true);
    return answer.ok ? answer.answer.account : null;
  }, [api]);
  useEffect(() => void read(), [read]);

  return { account, failed, read };
}

/** What every part of the page is given: the account, the way to change it, and whom to tell after. */
export type SectionProps = {
  account: Account;
  ask: Api;
  onChanged: (recoveryCodes?: string[] | null) => Promise<void>;
};
