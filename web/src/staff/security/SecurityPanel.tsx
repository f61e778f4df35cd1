import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import { useState } from 'react';
import type { Api } from '../../net/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../Card.tsx';
import { Dialog, FormDialog } from '../dialog/FormDialog.tsx';
import { ListFailed, ListLoading } from '../ListState.tsx';
import { Pill } from '../Pill.tsx';
import type { SessionStore } from '../session.ts';
import { AppSection } from './AppSection.tsx';
import { MailSection } from './MailSection.tsx';
import { PasskeySection } from './PasskeySection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import styles from './SecurityPanel.module.css';
import { SessionsSection } from './SessionsSection.tsx';
import { hasFactor, type SectionProps, useAccount } from './useAccount.ts';
import { useConfirmedApi } from './useConfirmedApi.tsx';

export function SecurityPanel({ session }: { session: SessionStore }) {
  const { account, failed, read } = useAccount(session);
  const { ask: asked, dialog } = useConfirmedApi(session);
  const [codes, setCodes] = useState<string[] | null>(null);
  /** Increases when an answer with recovery codes was lost. Forms reset and new codes are offered. */
  const [lost, setLost] = useState(0);

  async function onChanged(recoveryCodes: string[] | null = null): Promise<void> {
    if (recoveryCodes) setCodes(recoveryCodes);
    const now = await read();
    const first = account && now && !hasFactor(account) && hasFactor(now);
    if (first && !recoveryCodes) setLost((times) => times + 1);
    // Removes the banner.
    if (first) void session.refresh();
  }

  const ask: Api = async (name, parts) => {
    const answer = await asked(name, parts);
    // The call may have succeeded despite the failure.
    if (!answer.ok && (name === 'confirmTotp' || name === 'addPasskey')) await onChanged();
    return answer;
  };

  const whenChanged: SectionProps['whenChanged'] = async (call) => {
    const answer = await call;
    if (answer.ok) await onChanged();
    return answer;
  };

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
  const section: SectionProps = { account, ask, onChanged, whenChanged };
  return (
    <div className={styles.panel}>
      <p className="ink-2">
        <bdi>{account.email}</bdi>
      </p>
      <AppSection key={`app ${lost}`} {...section} />
      <PasskeySection key={`passkeys ${lost}`} {...section} />
      <RecoverySection key={`recovery ${lost}`} {...section} lost={lost > 0} />
      <PasswordSection {...section} />
      <MailSection {...section} />
      <SessionsSection {...section} />
      {dialog}
      {codes && (
        <Dialog title={accountTexts.keepTitle} held onClose={() => setCodes(null)}>
          {(close) => <RecoveryCodes codes={codes} email={account.email} onKept={close} />}
        </Dialog>
      )}
    </div>
  );
}

/** New codes are recommended at this number. */
const FEW = 3;

/** `lost`: an answer with new codes was lost, so new ones are offered at once. */
function RecoverySection({ account, ask, onChanged, lost }: SectionProps & { lost: boolean }) {
  const [asking, setAsking] = useState<string | null>(lost ? accountTexts.recoveryLost : null);
  const left = account.recoveryCodesLeft;

  if (!hasFactor(account)) return <Card title={accountTexts.recovery} note={accountTexts.recoveryAfter} />;
  return (
    <Card
      title={accountTexts.recovery}
      note={accountTexts.recoveryPageNote}
      aside={
        <Pill tone={left > FEW ? 'good' : 'plain'}>
          {fillText(accountTexts.recoveryLeft, { count: left })}
        </Pill>
      }
      actions={
        <Button look="outline" onClick={() => setAsking(accountTexts.recoveryRenewNote)}>
          {accountTexts.recoveryRenew}
        </Button>
      }
    >
      {asking && (
        <FormDialog
          title={accountTexts.recoveryRenew}
          note={asking}
          action={accountTexts.recoveryRenew}
          onSubmit={() => ask('renewRecoveryCodes', {})}
          onDone={({ recoveryCodes }) => onChanged(recoveryCodes)}
          onClose={() => setAsking(null)}
        />
      )}
    </Card>
  );
}
