import type { Person } from '@settee/protocol/calls/peopleCalls';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useConfirmedApi } from '../../staff/security/useConfirmedApi.tsx';
import { staffShapes } from '../../staff/shapes.ts';
import { useToasts } from '../../staff/toast/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Shape } from '../../ui/Icon.tsx';
import { useAdmin } from '../context.ts';
import { EmptyList, ListFoot, ListPage, ListPanel, ResultCount } from '../parts/ListPage.tsx';
import { Chips, SearchField } from '../parts/ListTools.tsx';
import { moreOf } from '../parts/paging.ts';
import { QueryContent } from '../parts/QueryContent.tsx';
import { type OpenDialog, PeopleDialogs } from './PeopleDialogs.tsx';
import { PeopleTable, type Task } from './PeopleTable.tsx';
import { UnstaffedDesks } from './UnstaffedDesks.tsx';
import { type PeopleFilter, usePeople } from './usePeople.ts';

const filters = [
  { value: 'active', text: peopleTexts.active },
  { value: 'deactivated', text: peopleTexts.deactivated },
] as const;

/** The staff list. `/handlers/new` opens the form, for the first steps. */
export function PeoplePage() {
  const { session } = useAdmin();
  const { ask, dialog } = useConfirmedApi(session);
  const toasts = useToasts();
  const navigate = useNavigate();
  const adding = useParams()['*'] === 'new';
  const [show, setShow] = useState<PeopleFilter>('active');
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const query = usePeople(show, search);
  const { people } = query;
  const more = moreOf(query);
  const list = useRef<HTMLElement>(null);
  const startOfList = () => list.current?.focus({ preventScroll: true });
  const add = () => setOpen({ task: 'add' });
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
    <ListPage
      title={adminTexts.handlers}
      actions={
        <Button onClick={add}>
          <Shape paths={staffShapes.plus} size={18} />
          {peopleTexts.add}
        </Button>
      }
    >
      <UnstaffedDesks />
      <ListPanel
        label={adminTexts.handlers}
        // Receives the focus when a focused row disappears.
        scrollRef={list}
        tools={
          <>
            <SearchField
              label={peopleTexts.search}
              placeholder={peopleTexts.searchHint}
              value={search}
              onChange={setSearch}
            />
            <Chips label={peopleTexts.show} value={show} options={filters} onChange={setShow} />
          </>
        }
        foot={
          people &&
          people.length > 0 && <ListFoot shown={people.length} more={more} thing={peopleTexts.thing} />
        }
      >
        <QueryContent query={query} thing={peopleTexts.thing}>
          {() =>
            people?.length ? (
              <PeopleTable people={people} onChoose={(task, person) => void choose(task, person)} />
            ) : (
              <Nobody
                show={show}
                searching={query.searching}
                onClear={() => setSearch('')}
                onAdd={add}
                onActive={() => setShow('active')}
              />
            )
          }
        </QueryContent>
      </ListPanel>
      <ResultCount
        count={query.searching && !query.isPlaceholderData ? people?.length : undefined}
        more={more !== undefined}
      />
      <PeopleDialogs open={open} setOpen={setOpen} ask={ask} onGone={startOfList} />
      {dialog}
    </ListPage>
  );
}

type NobodyProps = {
  show: PeopleFilter;
  searching: boolean;
  onClear: () => void;
  onAdd: () => void;
  onActive: () => void;
};

function Nobody({ show, searching, onClear, onAdd, onActive }: NobodyProps) {
  if (searching) {
    return (
      <EmptyList title={adminTexts.noMatches} note={adminTexts.noMatchesNote}>
        <Button look="outline" onClick={onClear}>
          {adminTexts.clearSearch}
        </Button>
      </EmptyList>
    );
  }
  if (show === 'active') {
    return (
      <EmptyList title={peopleTexts.emptyActive} note={peopleTexts.emptyActiveNote}>
        <Button look="outline" onClick={onAdd}>
          {peopleTexts.add}
        </Button>
      </EmptyList>
    );
  }
  return (
    <EmptyList title={peopleTexts.emptyDeactivated} note={peopleTexts.emptyDeactivatedNote}>
      <Button look="outline" onClick={onActive}>
        {peopleTexts.showActive}
      </Button>
    </EmptyList>
  );
}
