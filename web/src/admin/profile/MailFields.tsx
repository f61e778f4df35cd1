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
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption>{staffMailTexts.figures}</caption>
        <thead>
          <tr>
            <th scope="col">{staffMailTexts.kind}</th>
            {MAIL_OUTCOMES.map((outcome) => (
              <th key={outcome} scope="col">
                {staffMailTexts.outcomes[outcome]}
              </th>
            ))}
            <th scope="col">{staffMailTexts.last}</th>
          </tr>
        </thead>
        <tbody>
          {kinds.map(
            ({ kind, own }) =>
              own.length > 0 && (
                <tr key={kind}>
                  <th scope="row">{staffMailTexts.kinds[kind]}</th>
                  {MAIL_OUTCOMES.map((outcome) => (
                    <td key={outcome}>{own.find((each) => each.outcome === outcome)?.count ?? 0}</td>
                  ))}
                  <td dir="ltr">{lastProblem(own)}</td>
                </tr>
              ),
          )}
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
