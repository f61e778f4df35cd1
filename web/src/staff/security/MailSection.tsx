import { fillText } from '@settee/protocol/texts/fillText';
import { staffMailTexts } from '@settee/protocol/texts/staffMailTexts';
import { useState } from 'react';
import { FieldError } from '../../ui/FieldError.tsx';
import { Card } from '../Card.tsx';
import { CheckField } from '../CheckField.tsx';
import { useChange } from '../useChange.ts';
import type { SectionProps } from './useAccount.ts';

/** Mails about waiting visitors. Absent if the installation sends no mail, or the person has no desk. */
export function MailSection({ account, ask, whenChanged }: SectionProps) {
  const { error, run } = useChange();
  /** What is being saved. */
  const [wish, setWish] = useState<boolean>();
  if (account.waitingMail === null) return null;

  async function save(on: boolean) {
    setWish(on);
    const saved = await whenChanged(ask('saveWaitingMail', { body: { on } }));
    setWish(undefined);
    return saved;
  }

  return (
    <Card title={staffMailTexts.title}>
      <CheckField
        label={staffMailTexts.waiting}
        hint={fillText(staffMailTexts.waitingHelp, { email: account.email })}
        checked={wish ?? account.waitingMail}
        onChange={(on) => void run(() => save(on))}
      />
      <FieldError text={error} />
    </Card>
  );
}
