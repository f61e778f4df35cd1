import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { Card } from '../Card.tsx';
import { useSubmit } from '../dialog/useSubmit.ts';
import { StatusMessage } from './StatusMessage.tsx';
import type { SectionProps } from './useAccount.ts';

export function SessionsSection({ account, ask, onChanged }: SectionProps) {
  const [done, setDone] = useState(false);
  const { busy, error, submit } = useSubmit(async () => {
    const answer = await ask('signOutElsewhere', {});
    setDone(answer.ok);
    if (!answer.ok) return answer.text;
    void onChanged();
    return null;
  });

  return (
    <Card
      title={accountTexts.sessions}
      note={sessionsText(account.otherSessions)}
      actions={
        account.otherSessions > 0 && (
          <Button look="outline" disabled={busy} onClick={() => void submit()}>
            {accountTexts.signOutElsewhere}
          </Button>
        )
      }
    >
      <StatusMessage text={done ? accountTexts.signedOutElsewhere : null} />
      <FieldError text={error} />
    </Card>
  );
}

function sessionsText(others: number): string {
  if (others === 0) return accountTexts.sessionsNone;
  if (others === 1) return accountTexts.sessionsOne;
  return fillText(accountTexts.sessionsSome, { count: String(others) });
}
