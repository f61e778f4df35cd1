import type { OwnSession } from '@settee/protocol/calls/accountCalls';
import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useEffect, useRef, useState } from 'react';
import { dateAndTime } from '../../browser/dateAndTime.ts';
import { listText } from '../../browser/listText.ts';
import { browserText } from '../../chat/browserText.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { Card } from '../Card.tsx';
import { Pill } from '../Pill.tsx';
import { useChange } from '../useChange.ts';
import styles from './PasskeySection.module.css';
import { StatusMessage } from './StatusMessage.tsx';
import type { SectionProps } from './useAccount.ts';

/** A button, and the row of its session, or -1. */
type Pressed = { button: HTMLElement; row: number };

/** The browsers in which this account is signed in. */
export function SessionsSection({ account, ask, onChanged }: SectionProps) {
  const [done, setDone] = useState<string | null>(null);
  const { busy, error, run } = useChange();
  const title = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const pressed = useRef<Pressed | null>(null);

  // The pressed button is disabled or gone, so the focus would be lost.
  useEffect(() => {
    if (busy || pressed.current === null) return;
    const { button, row } = pressed.current;
    pressed.current = null;
    if (document.activeElement !== document.body) return;
    const next = list.current?.children[row]?.querySelector('button');
    (button.isConnected ? button : (next ?? title.current))?.focus();
  }, [busy]);

  /** Null ends all other sessions. */
  function end(id: string | null, button: HTMLElement): void {
    pressed.current = { button, row: account.sessions.findIndex((session) => session.id === id) };
    void run(async () => {
      const answer = await (id === null
        ? ask('signOutElsewhere', {})
        : ask('endSession', { params: { id } }));
      const text = id === null ? accountTexts.signedOutElsewhere : accountTexts.sessionEnded;
      setDone(answer.ok ? text : null);
      await onChanged();
      return answer;
    });
  }

  return (
    <Card
      title={accountTexts.sessions}
      titleRef={title}
      note={accountTexts.sessionsNote}
      actions={
        account.sessions.length > 1 && (
          <Button look="outline" disabled={busy} onClick={({ currentTarget }) => end(null, currentTarget)}>
            {accountTexts.signOutElsewhere}
          </Button>
        )
      }
    >
      <ul ref={list}>
        {account.sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            busy={busy}
            onEnd={(button) => end(session.id, button)}
          />
        ))}
      </ul>
      <StatusMessage text={done} />
      <FieldError text={error} />
    </Card>
  );
}

type SessionRowProps = { session: OwnSession; busy: boolean; onEnd: (button: HTMLElement) => void };

function SessionRow({ session, busy, onEnd }: SessionRowProps) {
  const { createdAt, lastUsedAt, network, current } = session;
  const browser = browserText(session.browser);
  const now = Date.now();
  const since = fillText(accountTexts.sessionSince, { date: dateAndTime(createdAt, now) });
  const used = fillText(accountTexts.sessionUsed, { date: dateAndTime(lastUsedAt, now) });
  const from = network === '' ? [] : [fillText(accountTexts.sessionFrom, { network })];
  return (
    <li className={styles.row}>
      <span className={styles.what}>
        <b>{browser}</b>
        <small>{[since, used, ...from].join(' · ')}</small>
      </span>
      {current ? (
        <Pill tone="good">{accountTexts.sessionCurrent}</Pill>
      ) : (
        <Button
          look="bare"
          disabled={busy}
          aria-label={fillText(accountTexts.sessionEndOf, { session: listText([browser, since, ...from]) })}
          onClick={({ currentTarget }) => onEnd(currentTarget)}
        >
          {accountTexts.sessionEnd}
        </Button>
      )}
    </li>
  );
}
