import { languageNames, visitorLanguages } from '@settee/protocol/texts/languages';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { Card } from '../../staff/Card.tsx';
import { CheckField } from '../../staff/CheckField.tsx';
import { Segments } from '../parts/Segments.tsx';
import { Select } from '../parts/Select.tsx';
import { TextField } from '../parts/TextField.tsx';
import styles from './ProfileForm.module.css';
import type { ProfileFormState } from './useProfileForm.ts';

/** Settings for all conversations and queues. */
export function ConversationFields({ form: { draft, change, field } }: { form: ProfileFormState }) {
  const number = (key: 'reopenDays' | 'waitingMinutes' | 'waitingLongMinutes' | 'keepDays') => ({
    label: profileTexts[key],
    inputMode: 'numeric' as const,
    autoComplete: 'off',
    ...field(key),
  });
  return (
    <>
      <Card title={profileTexts.conversations} className={styles.card}>
        <TextField {...number('reopenDays')} hint={profileTexts.reopenHelp} />
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
          {!draft.keepsForEver && <TextField {...number('keepDays')} />}
          <p className="quiet">{profileTexts.keepHelp}</p>
        </div>
        <CheckField
          label={profileTexts.visitorErase}
          hint={profileTexts.visitorEraseHelp}
          checked={draft.visitorErase}
          onChange={(visitorErase) => change({ visitorErase })}
        />
      </Card>
      <Card title={profileTexts.languageTitle} className={styles.card}>
        <Select
          label={profileTexts.language}
          value={draft.language}
          options={visitorLanguages.map((value) => ({ value, text: languageNames[value] }))}
          onChange={(language) => change({ language })}
        />
        <p className="quiet">{profileTexts.languageHelp}</p>
      </Card>
      <Card title={profileTexts.waiting} className={styles.card}>
        <p className="quiet">{profileTexts.waitingHelp}</p>
        <div className={styles.pair}>
          <TextField {...number('waitingMinutes')} />
          <TextField {...number('waitingLongMinutes')} />
        </div>
      </Card>
    </>
  );
}
