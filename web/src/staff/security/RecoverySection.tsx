import { accountTexts } from '@settee/protocol/accountTexts';
import { fillText } from '@settee/protocol/fillText';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { FormDialog } from './FormDialog.tsx';
import type { PartProps } from './part.ts';
import { Section } from './Section.tsx';

/** With so few left it is time for new ones. */
const FEW = 3;

export function RecoverySection({ account, ask, onChanged }: PartProps) {
  const [asking, setAsking] = useState(false);
  const left = account.recoveryCodesLeft;
  const possible = account.totpSince !== null || account.passkeys.length > 0;

  async function renew(): Promise<string | undefined> {
    const answer = await ask('renewRecoveryCodes', {});
    if (!answer.ok) return answer.text;
    void onChanged(answer.answer.recoveryCodes);
    return undefined;
  }

  if (!possible) return <Section title={accountTexts.recovery} note={accountTexts.recoveryAfter} />;
  return (
    <Section
      title={accountTexts.recovery}
      note={accountTexts.recoveryPageNote}
      state={{ text: fillText(accountTexts.recoveryLeft, { count: String(left) }), good: left > FEW }}
      actions={
        <Button look="outline" onClick={() => setAsking(true)}>
          {accountTexts.recoveryRenew}
        </Button>
      }
    >
      {asking && (
        <FormDialog
          title={accountTexts.recoveryRenew}
          note={accountTexts.recoveryRenewNote}
          action={accountTexts.recoveryRenew}
          onSubmit={renew}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}
