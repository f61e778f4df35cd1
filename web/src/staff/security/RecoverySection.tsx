import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../Card.tsx';
import { FormDialog } from '../dialog/FormDialog.tsx';
import { Pill } from '../Pill.tsx';
import { hasFactor, type SectionProps } from './useAccount.ts';

/** New codes are recommended at this number. */
const FEW = 3;

/** `lost`: an answer with new codes was lost, so new ones are offered at once. */
export function RecoverySection({ account, ask, onChanged, lost }: SectionProps & { lost: boolean }) {
  const [asking, setAsking] = useState<string | null>(lost ? accountTexts.recoveryLost : null);
  const left = account.recoveryCodesLeft;

  async function renew(): Promise<string | undefined> {
    const answer = await ask('renewRecoveryCodes', {});
    if (!answer.ok) return answer.text;
    void onChanged(answer.answer.recoveryCodes);
    return undefined;
  }

  if (!hasFactor(account)) return <Card title={accountTexts.recovery} note={accountTexts.recoveryAfter} />;
  return (
    <Card
      title={accountTexts.recovery}
      note={accountTexts.recoveryPageNote}
      aside={
        <Pill tone={left > FEW ? 'good' : 'plain'}>
          {fillText(accountTexts.recoveryLeft, { count: String(left) })}
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
          onSubmit={renew}
          onClose={() => setAsking(null)}
        />
      )}
    </Card>
  );
}
