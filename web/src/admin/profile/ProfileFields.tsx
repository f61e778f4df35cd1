import { AWAY_MESSAGE_MAX, FAREWELL_MAX, GREETING_MAX } from '@settee/protocol/calls/profileCalls';
import { MAIL_KINDS, MAIL_OUTCOMES, type MailFigure } from '@settee/protocol/model/mail';
import { languageNames, visitorLanguages } from '@settee/protocol/texts/languages';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { staffMailTexts } from '@settee/protocol/texts/staffMailTexts';
import { texts } from '@settee/protocol/texts/texts';
import { Card } from '../../staff/Card.tsx';
import { CheckField } from '../../staff/CheckField.tsx';
import { Link } from '../parts/links.tsx';
import { QueryContent } from '../parts/QueryContent.tsx';
import { Segments } from '../parts/Segments.tsx';
import { Select } from '../parts/Select.tsx';
import { TextField } from '../parts/TextField.tsx';
import { useAdminQuery } from '../useAdminQuery.ts';
import table from './MailFields.module.css';
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

/** Whether visitors can leave an address, and what became of the mails. Absent if the installation sends none. */
export function MailFields({ form: { draft, change } }: { form: ProfileFormState }) {
  const mail = useAdminQuery('profile', 'readMailFigures', {});
  return (
    <QueryContent query={mail} thing={staffMailTexts.thing}>
      {({ figures }) =>
        figures && (
          <Card title={staffMailTexts.title} className={styles.card}>
            <CheckField
              label={staffMailTexts.visitorMail}
              hint={staffMailTexts.visitorMailHelp}
              checked={draft.visitorMail}
              onChange={(visitorMail) => change({ visitorMail })}
            />
            <Figures figures={figures} />
          </Card>
        )
      }
    </QueryContent>
  );
}

function Figures({ figures }: { figures: readonly MailFigure[] }) {
  if (figures.length === 0) return <p className="quiet">{staffMailTexts.none}</p>;
  const kinds = MAIL_KINDS.map((kind) => ({ kind, own: figures.filter((each) => each.kind === kind) }));
  const used = kinds.filter(({ own }) => own.length > 0);
  return (
    <div className={table.scroll}>
      {/* A column for each kind: most installations have two, which fit on a phone. */}
      <table className={table.table}>
        <caption>{staffMailTexts.figures}</caption>
        <thead>
          <tr>
            <th scope="col">{staffMailTexts.kind}</th>
            {used.map(({ kind }) => (
              <th key={kind} scope="col">
                {staffMailTexts.kinds[kind]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {MAIL_OUTCOMES.map((outcome) => (
            <tr key={outcome}>
              <th scope="row">{staffMailTexts.outcomes[outcome]}</th>
              {used.map(({ kind, own }) => (
                <td key={kind}>{own.find((each) => each.outcome === outcome)?.count ?? 0}</td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">{staffMailTexts.last}</th>
            {used.map(({ kind, own }) => (
              <td key={kind}>
                <bdi>{lastProblem(own)}</bdi>
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  );
}

/** The newest answer of a mail server that did not take a mail. */
function lastProblem(figures: readonly MailFigure[]): string {
  const [newest] = figures
    .filter(({ lastReason }) => lastReason !== null)
    .toSorted((a, b) => b.lastAt - a.lastAt);
  return newest?.lastReason ?? '';
}
