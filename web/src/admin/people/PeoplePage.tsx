import { adminTexts } from '@settee/protocol/adminTexts';
import { fillText } from '@settee/protocol/fillText';
import type { Person } from '@settee/protocol/peopleCalls';
import { peopleTexts } from '@settee/protocol/peopleTexts';
import { texts } from '@settee/protocol/texts';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { Card } from '../../staff/Card.tsx';
import { ListState } from '../../staff/ListState.tsx';
import { useAsk } from '../../staff/security/useAsk.tsx';
import { useToasts } from '../../staff/toast/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Shape } from '../../ui/Icon.tsx';
import { useAdmin } from '../context.ts';
import { Loaded } from '../parts/Loaded.tsx';
import { LoadMore } from '../parts/LoadMore.tsx';
import { Page } from '../parts/Page.tsx';
import { Segments } from '../parts/Segments.tsx';
import { Dialogs, type Open } from './Dialogs.tsx';
import { LeftDesks } from './LeftDesks.tsx';
import styles from './PeoplePage.module.css';
import { PeopleTable } from './PeopleTable.tsx';
import type { Task } from './task.ts';
import { type Shown, usePeople } from './usePeople.ts';

const PLUS = ['M12 5v14M5 12h14'];

const filters = [
  { value: 'active', text: peopleTexts.active },
  { value: 'deactivated', text: peopleTexts.deactivated },
] as const;

/** The members of staff. `/handlers/new` opens the form at once: the first steps lead there. */
export function PeoplePage() {
  const { session } = useAdmin();
  const { ask, dialog } = useAsk(session);
  const toasts = useToasts();
  const navigate = useNavigate();
  const adding = useParams()['*'] === 'new';
  const [show, setShow] = useState<Shown>('active');
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<Open | null>(null);
  const query = usePeople(show, search);
  const list = useRef<HTMLElement>(null);
  const startOfList = () => list.current?.focus({ preventScroll: true });
  useEffect(() => {
    if (!adding) return;
    setOpen({ task: 'add' });
    void navigate('/handlers', { replace: true });
  }, [adding, navigate]);

  async function choose(task: Task, person: Person): Promise<void> {
    if (task !== 'activate') return setOpen({ task, person });
    const { id, name } = person;
    const done = await session.api('activatePerson', { params: { id } });
    if (done.ok) startOfList();
    toasts.show({
      text: done.ok ? fillText(peopleTexts.wasActivated, { name }) : done.text || texts.networkError,
    });
  }

  return (
    <Page
      title={adminTexts.handlers}
      actions={
        <Button onClick={() => setOpen({ task: 'add' })}>
          <Shape paths={PLUS} />
          {peopleTexts.add}
        </Button>
      }
    >
      <LeftDesks />
      <div className={styles.tools}>
        <input
          type="search"
          className={styles.search}
          aria-label={peopleTexts.search}
          placeholder={peopleTexts.search}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Segments label={peopleTexts.show} value={show} options={filters} onChange={setShow} />
      </div>
      <Card>
        {/* A row that goes takes the focus with it, which then starts here. */}
        <section ref={list} className={styles.list} aria-label={adminTexts.handlers} tabIndex={-1}>
          <Loaded query={query} thing={peopleTexts.thing}>
            {() =>
              query.people?.length ? (
                <PeopleTable people={query.people} onChoose={(task, person) => void choose(task, person)} />
              ) : (
                <Nobody show={show} searching={query.searching} onClear={() => setSearch('')} />
              )
            }
          </Loaded>
        </section>
        <LoadMore query={query} thing={peopleTexts.thing} />
      </Card>
      <Dialogs open={open} setOpen={setOpen} ask={ask} onGone={startOfList} />
      {dialog}
    </Page>
  );
}

type NobodyProps = { show: Shown; searching: boolean; onClear: () => void };

function Nobody({ show, searching, onClear }: NobodyProps) {
  if (!searching) {
    const text = show === 'active' ? peopleTexts.emptyActive : peopleTexts.emptyDeactivated;
    return <ListState>{text}</ListState>;
  }
  return (
    <ListState>
      <p>{peopleTexts.nothingFound}</p>
      <Button look="outline" onClick={onClear}>
        {peopleTexts.clearSearch}
      </Button>
    </ListState>
  );
}
