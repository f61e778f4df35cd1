import { MAIL_KINDS, MAIL_OUTCOMES, type MailFigure } from '@settee/protocol/model/mail';
import { staffMailTexts } from '@settee/protocol/texts/staffMailTexts';
import { Card } from '../../staff/Card.tsx';
import { CheckField } from '../../staff/CheckField.tsx';
import { QueryContent } from '../parts/QueryContent.tsx';
import { useAdminQuery } from '../useAdminQuery.ts';
import styles from './MailFields.module.css';
import card from './ProfileForm.module.css';
import type { ProfileFormState } from './useProfileForm.ts';

/** Whether visitors can leave an address, and what became of the mails. Absent if the installation sends none. */
export function MailFields({ form: { draft, change } }: { form: ProfileFormState }) {
  const mail = useAdminQuery('profile', 'readMailFigures', {});
  return (
    <QueryContent query={mail} thing={staffMailTexts.thing}>
      {({ figures }) =>
        figures && (
          <Card title={staffMailTexts.title} className={card.card}>
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
    <div className={styles.scroll}>
      {/* A column for each kind: most installations have two, which fit on a phone. */}
      <table className={styles.table}>
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
