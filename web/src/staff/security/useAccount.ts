import type { Account } from '@settee/protocol/calls/accountCalls';
import { useCallback, useEffect, useState } from 'react';
import type { Api } from '../../net/api.ts';
import type { SessionStore } from '../session.ts';

export function hasFactor({ totpSince, passkeys }: Account): boolean {
  return totpSince !== null || passkeys.length > 0;
}

/** The own account, read at the start and after changes. */
export function useAccount({ api }: SessionStore) {
  /** Null until it was read. */
  const [account, setAccount] = useState<Account | null>(null);
  const [failed, setFailed] = useState(false);

  /** Returns the account, or null on failure. */
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

export type SectionProps = {
  account: Account;
  ask: Api;
  /** Call after every change, with new recovery codes if any. */
  onChanged: (recoveryCodes?: string[] | null) => Promise<void>;
  /** For a change without new codes. */
  whenChanged: <R extends { ok: boolean }>(call: Promise<R>) => Promise<R>;
};
