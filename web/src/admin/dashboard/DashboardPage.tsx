import type { DashboardPeriod } from '@settee/protocol/model/dashboard';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { dashboardTexts as texts } from '@settee/protocol/texts/dashboardTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { ListFailed } from '../../staff/ListState.tsx';
import { staffShapes } from '../../staff/shapes.ts';
import { useCurrentMinute } from '../../staff/useCurrentMinute.ts';
import button from '../../ui/Button.module.css';
import { Hidden } from '../../ui/Hidden.tsx';
import { Shape } from '../../ui/Icon.tsx';
import { Link } from '../parts/links.tsx';
import { Page } from '../parts/Page.tsx';
import { Segments } from '../parts/Segments.tsx';
import { StaleContent } from '../parts/StaleContent.tsx';
import { useLasting } from '../parts/useLasting.ts';
import { useScope } from '../profiles/useProfiles.ts';
import { FirstSteps } from '../setup/FirstSteps.tsx';
import { useAdminQuery } from '../useAdminQuery.ts';
import { HandlersCard, InvitesCard, WaitingCard } from './Cards.tsx';
import { ChartCard } from './ChartCard.tsx';
import styles from './DashboardPage.module.css';
import { Stats } from './Stats.tsx';
import type { Stat } from './series.ts';

/** Shorter loading shows no indicator. */
const LATE_AFTER_MS = 400;

const periods: readonly { value: DashboardPeriod; text: string }[] = [
  { value: 'today', text: texts.today },
  { value: '7days', text: texts.sevenDays },
  { value: '30days', text: texts.thirtyDays },
];

export function DashboardPage() {
  const [period, setPeriod] = useState<DashboardPeriod>('7days');
  const [stat, setStat] = useState<Stat>('messages');
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const read = useAdminQuery('dashboard', 'readDashboard', { query: { period, zone, ...useScope() } });
  const { isError, isPlaceholderData, refetch } = read;
  const data = read.data?.dashboard;
  const late = useLasting(data === undefined && !isError, LATE_AFTER_MS);
  // Time passes between refetches. A wrong local clock must not produce negative waits.
  const now = Math.max(useCurrentMinute(), data?.now ?? 0);

  return (
    <Page
      title={adminTexts.dashboard}
      actions={
        <>
          <Segments label={texts.period} value={period} options={periods} onChange={setPeriod} />
          <Link
            to="/invites/new"
            className={`${button.button} ${button.primary} ${styles.newInvite}`}
            aria-label={texts.newInvite}
            data-size="md"
          >
            <Shape paths={staffShapes.plus} size={18} />
            <span>{texts.newInvite}</span>
          </Link>
        </>
      }
    >
      <FirstSteps />
      <StaleContent stale={isPlaceholderData}>
        <div className={styles.dashboard} data-late={late}>
          {data === undefined && isError ? (
            <ListFailed
              text={fillText(adminTexts.loadFailed, { thing: texts.thing })}
              onTryAgain={() => void refetch()}
            />
          ) : (
            <>
              <Stats dashboard={data} now={now} chosen={stat} onChoose={setStat} />
              {data === undefined ? (
                <Skeleton late={late} />
              ) : (
                <div className={styles.columns}>
                  <div className={styles.column}>
                    <ChartCard dashboard={data} stat={stat} />
                    <WaitingCard waiting={data.waiting} now={now} />
                  </div>
                  <div className={styles.column}>
                    <HandlersCard handlers={data.handlers} now={now} />
                    <InvitesCard invites={data.invites} unopened={data.unopened} />
                  </div>
                </div>
              )}
            </>
          )}
        </div>
      </StaleContent>
    </Page>
  );
}

/** Placeholders in the size of the cards. */
function Skeleton({ late }: { late: boolean }) {
  return (
    <div className={styles.columns} role="status">
      {late && <Hidden>{adminTexts.adminLoading}</Hidden>}
      <div className={styles.column}>
        <div className={styles.blank} data-skeleton data-card="chart" />
        <div className={styles.blank} data-skeleton data-card="waiting" />
      </div>
      <div className={styles.column}>
        <div className={styles.blank} data-skeleton data-card="handlers" />
        <div className={styles.blank} data-skeleton data-card="invites" />
      </div>
    </div>
  );
}
