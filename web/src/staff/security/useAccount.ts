import type { Account } from '@settee/protocol/accountCalls';
import { useCallback, useEffect, useState } from 'react';
import type { SessionStore } from '../session.ts';

export type AccountState = {
  /** Null until it was read once. */
  account: Account | null;
  failed: boolean;
  read: () => Promise<void>;
};

/** One's own account, read when the page opens and after every change made here. */
export function useAccount({ api }: SessionStore): AccountState {
  const [account, setAccount] = useState<Account | null>(null);
  const [failed, setFailed] = useState(false);

  const read = useCallback(async () => {
    setFailed(false);
    const answer = await api('readAccount', {});
    if (answer.ok) setAccount(answer.answer.account);
    else setFailed(true);
  }, [api]);
  useEffect(() => void read(), [read]);

  return { account, failed, read };
}
