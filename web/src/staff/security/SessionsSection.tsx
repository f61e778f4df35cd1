import type { OwnSession } from '@settee/protocol/calls/accountCalls';
import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { dateAndTime } from '../../browser/dateAndTime.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { Card } from '../Card.tsx';
import { Pill } from '../Pill.tsx';
import styles from './PasskeySection.module.css';
import { StatusMessage } from './StatusMessage.tsx';
import type { SectionProps } from './useAccount.ts';

/** The browsers in which this account is signed in. */
export function SessionsSection({ account, ask, onChanged }: SectionProps) {
  const [done, setDone] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  /** Null ends all other sessions. */
  async function end(id: string | null): Promise<void> {
    setBusy(true);
    const answer = await (id === null ? ask('signOutElsewhere', {}) : ask('endSession', { params: { id } }));
    const text = id === null ? accountTexts.signedOutElsewhere : accountTexts.sessionEnded;
    setDone(answer.ok ? text : null);
    setError(answer.ok ? null : answer.text);
    await onChanged();
    setBusy(false);
  }

  return (
    <Card
      title={accountTexts.sessions}
      note={accountTexts.sessionsNote}
      actions={
        account.sessions.length > 1 && (
          <Button look="outline" disabled={busy} onClick={() => void end(null)}>
            {accountTexts.signOutElsewhere}
          </Button>
        )
      }
    >
      <ul className={styles.list}>
        {account.sessions.map((session) => (
          <SessionRow key={session.id} session={session} busy={busy} onEnd={() => void end(session.id)} />
        ))}
      </ul>
      <StatusMessage text={done} />
      <FieldError text={error} />
    </Card>
  );
}

type SessionRowProps = { session: OwnSession; busy: boolean; onEnd: () => void };

function SessionRow({ session, busy, onEnd }: SessionRowProps) {
  const { createdAt, lastUsedAt, network, current } = session;
  const browser = session.browser || accountTexts.sessionUnknown;
  const now = Date.now();
  const facts = [
    fillText(accountTexts.sessionSince, { date: dateAndTime(createdAt, now) }),
    fillText(accountTexts.sessionUsed, { date: dateAndTime(lastUsedAt, now) }),
    ...(network === '' ? [] : [fillText(accountTexts.sessionFrom, { network })]),
  ];
  return (
    <li className={styles.row}>
      <span className={styles.what}>
        <b>{browser}</b>
        <small>{facts.join(' · ')}</small>
      </span>
      {current ? (
        <Pill tone="good">{accountTexts.sessionCurrent}</Pill>
      ) : (
        <Button
          look="bare"
          disabled={busy}
          aria-label={`${accountTexts.sessionEnd}: ${browser}`}
          onClick={onEnd}
        >
          {accountTexts.sessionEnd}
        </Button>
      )}
    </li>
  );
}
