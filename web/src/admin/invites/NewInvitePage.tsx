import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { Link, useNavigate } from 'react-router';
import { Card } from '../../staff/Card.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Page } from '../parts/Page.tsx';
import { QueryContent } from '../parts/QueryContent.tsx';
import { Segments } from '../parts/Segments.tsx';
import { useAdminQuery } from '../useAdminQuery.ts';
import { Batch } from './Batch.tsx';
import { BulkForm } from './BulkForm.tsx';
import { NoDesks } from './CommonFields.tsx';
import { ImportForm } from './ImportForm.tsx';
import styles from './NewInvitePage.module.css';
import { OneInvite } from './OneInvite.tsx';

const kinds = [
  { value: 'new', text: texts.one, title: texts.newInvite },
  { value: 'bulk', text: texts.several, title: texts.severalTitle },
  { value: 'import', text: texts.importMany, title: texts.importTitle },
] as const;
type Kind = (typeof kinds)[number]['value'];

/** One page for all three forms, so that the focus stays on the switch between them. */
export function NewInvitePage({ kind }: { kind: Kind }) {
  const navigate = useNavigate();
  const desks = useAdminQuery('staff', 'readDesks', {});
  return (
    <Page
      title={kinds.find(({ value }) => value === kind)?.title ?? texts.newInvite}
      actions={
        <Segments
          label={texts.kinds}
          value={kind}
          options={kinds}
          onChange={(chosen) => void navigate(`/invites/${chosen}`, { replace: true })}
        />
      }
    >
      <p className={styles.back}>
        <Link to="/invites">
          <Icon name="back" size={17} />
          {texts.backToList}
        </Link>
      </p>
      <Card className={styles.card}>
        <QueryContent query={desks} thing={texts.deskThing}>
          {({ desks: found }) => <Form kind={kind} aliases={found.map(({ alias }) => alias)} />}
        </QueryContent>
      </Card>
    </Page>
  );
}

function Form({ kind, aliases }: { kind: Kind; aliases: readonly string[] }) {
  const nobody = aliases.length === 0 && <NoDesks />;
  switch (kind) {
    case 'new':
      return <OneInvite aliases={aliases} />;
    case 'bulk':
      return <Batch>{(start) => nobody || <BulkForm aliases={aliases} onCreate={start} />}</Batch>;
    case 'import':
      return <Batch>{(start) => nobody || <ImportForm aliases={aliases} onCreate={start} />}</Batch>;
  }
}
