import { AWAY_MESSAGE_MAX, FAREWELL_MAX, GREETING_MAX } from '@settee/protocol/calls/profileCalls';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { texts } from '@settee/protocol/texts/texts';
import { Link } from 'react-router';
import { Card } from '../../staff/Card.tsx';
import { TextField } from '../parts/TextField.tsx';
import styles from './ProfileForm.module.css';
import type { ProfileFormState } from './useProfileForm.ts';

/** Texts of the host. */
export function VoiceFields({ field }: Pick<ProfileFormState, 'field'>) {
  return (
    <Card title={profileTexts.voice} className={styles.card}>
      <TextField
        label={profileTexts.greeting}
        hint={profileTexts.greetingHelp}
        rows={4}
        maxLength={GREETING_MAX}
        placeholder={profileTexts.greetingExample}
        {...field('greeting')}
      />
      <TextField
        label={profileTexts.farewell}
        hint={profileTexts.farewellHelp}
        rows={2}
        maxLength={FAREWELL_MAX}
        placeholder={profileTexts.farewellExample}
        {...field('farewell')}
      />
      <TextField
        label={profileTexts.awayMessage}
        hint={
          <>
            {profileTexts.awayMessageHelp} <Link to="/hours">{profileTexts.setHours}</Link>
          </>
        }
        rows={2}
        maxLength={AWAY_MESSAGE_MAX}
        placeholder={texts.away}
        {...field('awayMessage')}
      />
    </Card>
  );
}
