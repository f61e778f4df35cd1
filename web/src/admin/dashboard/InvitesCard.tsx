import type { Dashboard, InviteFunnel } from '@settee/protocol/model/dashboard';
import { dashboardTexts as texts } from '@settee/protocol/texts/dashboardTexts';
import { fillText, formatNumber } from '@settee/protocol/texts/fillText';
import { Link } from 'react-router';
import { dateText } from '../../browser/dateText.ts';
import { Card } from '../../staff/Card.tsx';
import cards from './cards.module.css';
import { share } from './figureText.ts';
import styles from './InvitesCard.module.css';

/** The invite funnel of the period, and the newest unopened invite. */
export function InvitesCard({ invites, unopened }: Pick<Dashboard, 'invites' | 'unopened'>) {
  return (
    <Card
      title={texts.invites}
      className={`${cards.card} ${styles.card}`}
      aside={
        <Link className={cards.link} to="/invites">
          {texts.allInvites}
        </Link>
      }
    >
      <Funnel invites={invites} />
      {unopened && <Unopened {...unopened} />}
    </Card>
  );
}

function Funnel({ invites: { created, opened, started, replied } }: { invites: InviteFunnel }) {
  const steps = [
    { name: texts.created, count: created, of: '' },
    { name: texts.opened, count: opened, of: share(opened, created) },
    { name: texts.started, count: started, of: share(started, opened) },
    { name: texts.replied, count: replied, of: share(replied, started) },
  ];
  return (
    <dl className={styles.funnel}>
      {steps.map(({ name, count, of }) => (
        <div key={name} className={styles.step}>
          <dt>{name}</dt>
          <dd className={styles.track} aria-hidden="true">
            <span style={{ inlineSize: `${created === 0 ? 0 : (count / created) * 100}%` }} />
          </dd>
          <dd className={styles.count}>{formatNumber(count)}</dd>
          <dd className={styles.share}>{of}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The link cannot be shown again, so this opens the invite list. */
function Unopened({ label, expiresAt }: NonNullable<Dashboard['unopened']>) {
  const date = dateText(expiresAt, { day: 'numeric', month: 'short' });
  return (
    <div className={styles.unopened}>
      <b dir="auto">{label || texts.unlabelled}</b>
      <small>{fillText(texts.notOpened, { date })}</small>
      <Link
        className={cards.tool}
        to={label === '' ? '/invites' : `/invites?search=${encodeURIComponent(label)}`}
      >
        {texts.showInvite}
      </Link>
    </div>
  );
}
