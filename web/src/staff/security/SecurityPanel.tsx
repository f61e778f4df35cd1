import { accountTexts } from '@settee/protocol/accountTexts';
import { adminTexts } from '@settee/protocol/adminTexts';
import { fillText } from '@settee/protocol/fillText';
import { texts } from '@settee/protocol/texts';
import { useState } from 'react';
import { Dialog } from '../dialog/Dialog.tsx';
import { ListFailed, ListLoading } from '../ListState.tsx';
import type { SessionStore } from '../session.ts';
import { AppSection } from './AppSection.tsx';
import { PasskeySection } from './PasskeySection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { RecoverySection } from './RecoverySection.tsx';
import styles from './SecurityPanel.module.css';
import { SessionsSection } from './SessionsSection.tsx';
import { useAccount } from './useAccount.ts';
import { useAsk } from './useAsk.tsx';

/** How one signs in, and what can be done about it. For every member of staff, about themselves. */
export function SecurityPanel({ session }: { session: SessionStore }) {
  const { account, failed, read } = useAccount(session);
  const { ask, dialog } = useAsk(session);
  const [codes, setCodes] = useState<string[] | null>(null);

  /** After every change; with recovery codes if there are new ones. */
  async function changed(recoveryCodes: string[] | null = null): Promise<void> {
    if (recoveryCodes) setCodes(recoveryCodes);
    await read();
  }

  if (!account) {
    return failed ? (
      <ListFailed
        text={fillText(adminTexts.loadFailed, { thing: accountTexts.thing })}
        onTryAgain={() => void read()}
      />
    ) : (
      <ListLoading text={texts.loading} />
    );
  }
  return (
    <div className={styles.panel}>
      <p className={styles.who}>
        <bdi>{account.email}</bdi>
      </p>
      <AppSection account={account} ask={ask} onChanged={changed} />
      <PasskeySection account={account} ask={ask} onChanged={changed} />
      <RecoverySection account={account} ask={ask} onChanged={changed} />
      <PasswordSection ask={ask} onChanged={changed} />
      <SessionsSection account={account} ask={ask} onChanged={changed} />
      {dialog}
      {codes && (
        <Dialog title={accountTexts.keepTitle} held onClose={() => setCodes(null)}>
          {(close) => <RecoveryCodes codes={codes} email={account.email} onKept={close} />}
        </Dialog>
      )}
    </div>
  );
}
