import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { dateAndTime } from '../../browser/dateAndTime.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../Card.tsx';
import { Dialog, FormDialog } from '../dialog/FormDialog.tsx';
import { Pill } from '../Pill.tsx';
import { TotpSetup } from './TotpSetup.tsx';
import type { SectionProps } from './useAccount.ts';

export function AppSection({ account, ask, onChanged, whenChanged }: SectionProps) {
  const [open, setOpen] = useState<'setUp' | 'turnOff' | null>(null);
  const since = account.totpSince;
  const close = () => setOpen(null);

  return (
    <Card
      title={accountTexts.app}
      note={accountTexts.appNote}
      aside={
        since === null ? (
          <Pill tone="plain">{accountTexts.appOff}</Pill>
        ) : (
          <Pill tone="good">{fillText(accountTexts.appOn, { date: dateAndTime(since, Date.now()) })}</Pill>
        )
      }
      actions={
        <>
          <Button look="outline" onClick={() => setOpen('setUp')}>
            {since === null ? accountTexts.appSetUp : accountTexts.appReplace}
          </Button>
          {since !== null && (
            <Button look="outline" onClick={() => setOpen('turnOff')}>
              {accountTexts.turnOff}
            </Button>
          )}
        </>
      }
    >
      {open === 'setUp' && (
        <Dialog title={accountTexts.totpTitle} onClose={close}>
          {(leave) => (
            <TotpSetup
              ask={ask}
              back={consoleTexts.cancel}
              onBack={leave}
              onDone={async (codes) => {
                leave();
                void onChanged(codes);
              }}
            />
          )}
        </Dialog>
      )}
      {open === 'turnOff' && (
        <FormDialog
          title={accountTexts.removeAppTitle}
          note={accountTexts.removeAppNote}
          action={accountTexts.turnOff}
          danger
          onSubmit={() => whenChanged(ask('removeTotp', {}))}
          onClose={close}
        />
      )}
    </Card>
  );
}
