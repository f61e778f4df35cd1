import type { DeskWithHours } from '@settee/protocol/calls/deskCalls';
import type { ManagedProfile } from '@settee/protocol/model/profile';
import { fillText } from '@settee/protocol/texts/fillText';
import { hoursTexts } from '@settee/protocol/texts/hoursTexts';
import { lazy, Suspense, useState } from 'react';
import { listText } from '../../browser/listText.ts';
import { Card } from '../../staff/Card.tsx';
import { ListState } from '../../staff/ListState.tsx';
import { Button } from '../../ui/Button.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import { Link } from '../parts/links.tsx';
import { Page } from '../parts/Page.tsx';
import { QueryContent } from '../parts/QueryContent.tsx';
import { useScope } from '../profiles/useProfiles.ts';
import { useAdminQuery } from '../useAdminQuery.ts';
import { DeskName, useDeskNames, useDeskText, useProfileOf } from '../useDesks.tsx';
import styles from './HoursPage.module.css';
import { weekText } from './week.ts';

const HoursDialog = lazy(() => import('./HoursDialog.tsx').then((part) => ({ default: part.HoursDialog })));

export function HoursPage() {
  const query = useAdminQuery('profile', 'readDeskHours', {});
  const { profile } = useScope();
  const profileOf = useProfileOf();
  const { edit, dialog } = useHoursDialog();
  const isInScope = ({ alias }: DeskWithHours) => profile === undefined || profileOf(alias)?.slug === profile;
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
          {({ desks }) => <Desks desks={desks.filter(isInScope)} onEdit={edit} />}
        </QueryContent>
      </Card>
      {dialog}
    </Page>
  );
}

/** The dialog must be rendered outside of any form. */
export function useHoursDialog() {
  const [edited, setEdited] = useState<DeskWithHours | null>(null);
  return {
    edit: setEdited,
    dialog: <Suspense>{edited && <HoursDialog desk={edited} onClose={() => setEdited(null)} />}</Suspense>,
  };
}

type DesksProps = {
  desks: readonly DeskWithHours[];
  onEdit: (desk: DeskWithHours) => void;
  /** All have the same profile, which need not be repeated. */
  ofOne?: boolean;
};

/** The desks of one profile, with their people and hours. */
export function ProfileDesks({ profile, onEdit }: Pick<DesksProps, 'onEdit'> & { profile: ManagedProfile }) {
  const query = useAdminQuery('profile', 'readDeskHours', {});
  const hoursOf = (alias: string) => query.data?.desks.find((desk) => desk.alias === alias)?.hours ?? null;
  return (
    <QueryContent query={query} thing={hoursTexts.thing}>
      {() => (
        <Desks
          desks={profile.desks.map(({ alias, people }) => ({ alias, people, hours: hoursOf(alias) }))}
          onEdit={onEdit}
          ofOne
        />
      )}
    </QueryContent>
  );
}

function Desks({ desks, onEdit, ofOne = false }: DesksProps) {
  if (desks.length === 0) return <ListState>{hoursTexts.noDesks}</ListState>;
  return (
    <ul className="lined">
      {desks.map((desk) => (
        <DeskRow key={desk.alias} desk={desk} onEdit={() => onEdit(desk)} ofOne={ofOne} />
      ))}
    </ul>
  );
}

type DeskRowProps = { desk: DeskWithHours; onEdit: () => void; ofOne: boolean };

function DeskRow({ desk: { alias, people, hours }, onEdit, ofOne }: DeskRowProps) {
  const name = useDeskText()(alias);
  const names = useDeskNames();
  return (
    <li className={styles.desk}>
      <span className={styles.who}>
        <b>{ofOne ? <bdi>{names[alias] ?? alias}</bdi> : <DeskName alias={alias} />}</b>
        <small>{people.length === 0 ? hoursTexts.noDesks : listText(people)}</small>
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
