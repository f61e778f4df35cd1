import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { Card } from '../../staff/Card.tsx';
import { CheckField } from '../parts/CheckField.tsx';
import { Segments } from '../parts/Segments.tsx';
import { TextField } from '../parts/TextField.tsx';
import type { Draft, Problems } from './draft.ts';
import styles from './ProfileForm.module.css';

type ConversationFieldsProps = {
  draft: Draft;
  problems: Problems;
  change: (change: Partial<Draft>) => void;
};

/** Settings for all conversations and queues. */
export function ConversationFields({ draft, problems, change }: ConversationFieldsProps) {
  const number = (
    key: 'reopenDays' | 'waitingMinutes' | 'waitingLongMinutes' | 'keepDays',
    label: string,
  ) => ({
    label,
    inputMode: 'numeric' as const,
    autoComplete: 'off',
    value: draft[key],
    error: problems[key],
    onChange: (value: string) => change({ [key]: value }),
  });
  return (
    <>
      <Card title={profileTexts.conversations} className={styles.card}>
        <TextField {...number('reopenDays', profileTexts.reopenDays)} hint={profileTexts.reopenHelp} />
        <div className={styles.keep}>
          <b aria-hidden="true">{profileTexts.keep}</b>
          <Segments
            label={profileTexts.keep}
            value={draft.keepsForEver ? 'ever' : 'some'}
            options={[
              { value: 'ever', text: profileTexts.keepForever },
              { value: 'some', text: profileTexts.keepSome },
            ]}
            onChange={(value) => change({ keepsForEver: value === 'ever' })}
          />
          {!draft.keepsForEver && <TextField {...number('keepDays', profileTexts.keepDays)} />}
          <p className={styles.hint}>{profileTexts.keepHelp}</p>
        </div>
        <CheckField
          label={profileTexts.visitorErase}
          hint={profileTexts.visitorEraseHelp}
          checked={draft.visitorErase}
          onChange={(visitorErase) => change({ visitorErase })}
        />
      </Card>
      <Card title={profileTexts.waiting} className={styles.card}>
        <p className={styles.hint}>{profileTexts.waitingHelp}</p>
        <div className={styles.pair}>
          <TextField {...number('waitingMinutes', profileTexts.waitingMinutes)} />
          <TextField {...number('waitingLongMinutes', profileTexts.waitingLongMinutes)} />
        </div>
      </Card>
    </>
  );
}
