import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { Card } from '../Card.tsx';
import { StatusMessage } from './StatusMessage.tsx';
import type { SectionProps } from './useAccount.ts';

export function SessionsSection({ account, ask, onChanged }: SectionProps) {
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function end(): Promise<void> {
    setBusy(true);
    setError(null);
    const answer = await ask('signOutElsewhere', {});
    setBusy(false);
    setDone(answer.ok);
    if (answer.ok) await onChanged();
    else setError(answer.text);
  }

  return (
    <Card
      title={accountTexts.sessions}
      note={sessionsText(account.otherSessions)}
      actions={
        account.otherSessions > 0 && (
          <Button look="outline" disabled={busy} onClick={() => void end()}>
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
