import { AWAY_MESSAGE_MAX, FAREWELL_MAX, GREETING_MAX } from '@settee/protocol/calls/profileCalls';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { texts } from '@settee/protocol/texts/texts';
import { Link } from 'react-router';
import { Card } from '../../staff/Card.tsx';
import { TextField } from '../parts/TextField.tsx';
import type { Draft, Problems } from './draft.ts';
import styles from './ProfileForm.module.css';

type VoiceFieldsProps = {
  draft: Draft;
  problems: Problems;
  change: (change: Partial<Draft>) => void;
};

/** Texts of the host. */
export function VoiceFields({ draft, problems, change }: VoiceFieldsProps) {
  return (
    <Card title={profileTexts.voice} className={styles.card}>
      <TextField
        label={profileTexts.greeting}
        hint={profileTexts.greetingHelp}
        error={problems.greeting}
        value={draft.greeting}
        rows={4}
        maxLength={GREETING_MAX}
        placeholder={profileTexts.greetingExample}
        onChange={(greeting) => change({ greeting })}
      />
      <TextField
        label={profileTexts.farewell}
        hint={profileTexts.farewellHelp}
        error={problems.farewell}
        value={draft.farewell}
        rows={2}
        maxLength={FAREWELL_MAX}
        placeholder={profileTexts.farewellExample}
        onChange={(farewell) => change({ farewell })}
      />
      <TextField
        label={profileTexts.awayMessage}
        hint={
          <>
            {profileTexts.awayMessageHelp} <Link to="/hours">{profileTexts.setHours}</Link>
          </>
        }
        error={problems.awayMessage}
        value={draft.awayMessage}
        rows={2}
        maxLength={AWAY_MESSAGE_MAX}
        placeholder={texts.away}
        onChange={(awayMessage) => change({ awayMessage })}
      />
    </Card>
  );
}
