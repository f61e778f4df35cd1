import type { DeskWithHours } from '@settee/protocol/calls/deskCalls';
import { fillText } from '@settee/protocol/texts/fillText';
import { hoursTexts } from '@settee/protocol/texts/hoursTexts';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { listText } from '../../browser/listText.ts';
import { Card } from '../../staff/Card.tsx';
import { ListState } from '../../staff/ListState.tsx';
import { Button } from '../../ui/Button.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import { Page } from '../parts/Page.tsx';
import { QueryContent } from '../parts/QueryContent.tsx';
import { useAdminQuery } from '../useAdminQuery.ts';
import { useDeskNames } from '../useDesks.tsx';
import styles from './HoursPage.module.css';
import { weekText } from './week.ts';

const HoursDialog = lazy(() => import('./HoursDialog.tsx').then((part) => ({ default: part.HoursDialog })));

export function HoursPage() {
  const query = useAdminQuery('profile', 'readDeskHours', {});
  const [edited, setEdited] = useState<DeskWithHours | null>(null);
  return (
    <Page
      title={hoursTexts.title}
      note={
        <>
          {hoursTexts.note} <Link to="/profile">{hoursTexts.awayMessage}</Link>
        </>
      }
    >
      <Card className={styles.card}>
        <QueryContent query={query} thing={hoursTexts.thing}>
          {({ desks }) =>
            desks.length === 0 ? (
              <ListState>{hoursTexts.noDesks}</ListState>
            ) : (
              <ul className="lined">
                {desks.map((desk) => (
                  <DeskRow key={desk.alias} desk={desk} onEdit={() => setEdited(desk)} />
                ))}
              </ul>
            )
          }
        </QueryContent>
      </Card>
      <Suspense>{edited && <HoursDialog desk={edited} onClose={() => setEdited(null)} />}</Suspense>
    </Page>
  );
}

function DeskRow({ desk: { alias, people, hours }, onEdit }: { desk: DeskWithHours; onEdit: () => void }) {
  const name = useDeskNames()[alias] ?? alias;
  return (
    <li className={styles.desk}>
      <span className={styles.who}>
        <b>
          <bdi>{name}</bdi>
        </b>
        <small>{listText(people)}</small>
      </span>
      {hours ? (
        <span className={styles.hours}>
          {weekText(hours.week)}
          <small>{zoneText(hours.timeZone)}</small>
        </span>
      ) : (
        <span className={`quiet ${styles.always}`}>{hoursTexts.always}</span>
      )}
      <Button look="outline" className={styles.edit} onClick={onEdit}>
        <span aria-hidden="true">{hours ? hoursTexts.edit : hoursTexts.setHours}</span>
        <Hidden>{fillText(hours ? hoursTexts.editOf : hoursTexts.setOf, { desk: name })}</Hidden>
      </Button>
    </li>
  );
}

function zoneText(zone: string): string {
  return zone.replaceAll('_', ' ');
}
