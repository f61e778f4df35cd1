import type { Person } from '@settee/protocol/calls/peopleCalls';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { useEffect, useRef, useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { useConfirmedApi } from '../../staff/security/useConfirmedApi.tsx';
import { staffShapes } from '../../staff/shapes.ts';
import { useChange } from '../../staff/useChange.ts';
import { Button } from '../../ui/Button.tsx';
import { Shape } from '../../ui/Icon.tsx';
import { useAdmin } from '../context.ts';
import { AdminList } from '../parts/AdminList.tsx';
import { EmptyList, ListPage, NoMatches } from '../parts/ListPage.tsx';
import { Chips, SearchField } from '../parts/ListTools.tsx';
import { useNavigate } from '../parts/links.tsx';
import type { RowMenuProps } from '../parts/RowMenu.tsx';
import { useTypedFilter } from '../parts/useTypedFilter.ts';
import { useProfiles, useScope } from '../profiles/useProfiles.ts';
import { useAdminPages } from '../useAdminQuery.ts';
import { type OpenDialog, PeopleDialogs, type PersonTask } from './PeopleDialogs.tsx';
import { columnsOfSeveral, personColumns } from './personColumns.tsx';
import { UnstaffedDesks } from './UnstaffedDesks.tsx';

type PeopleFilter = 'active' | 'deactivated';

const filters = [
  { value: 'active', text: peopleTexts.active },
  { value: 'deactivated', text: peopleTexts.deactivated },
] as const;

/** The staff list. `/handlers/new` opens the form, for the first steps. */
export function PeoplePage() {
  const { session, staff } = useAdmin();
  const { ask, dialog } = useConfirmedApi(session);
  const { run } = useChange('toast');
  const navigate = useNavigate();
  const [, setParams] = useSearchParams();
  const { profiles, several } = useProfiles();
  const scope = useScope();
  const shown = profiles.find(({ slug }) => slug === scope.profile);
  const adding = useParams()['*'] === 'new';
  const [show, setShow] = useState<PeopleFilter>('active');
  const [q, setQ] = useState('');
  const [search, setSearch] = useTypedFilter(q, setQ);
  const searching = q !== '';
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const query = useAdminPages(
    'staff',
    'readPeople',
    { show, ...scope, ...(searching && { q }) },
    { cursor: 'after', next: (page) => page.next },
  );
  const list = useRef<HTMLElement>(null);
  const startOfList = () => list.current?.focus({ preventScroll: true });
  const add = () => setOpen({ task: 'add' });
  useEffect(() => {
    if (!adding) return;
    setOpen({ task: 'add' });
    void navigate('/handlers', { replace: true });
  }, [adding, navigate]);

  const activate = ({ id, name }: Person) =>
    run(() => ask('activatePerson', { params: { id } }), {
      say: fillText(peopleTexts.wasActivated, { name }),
      done: startOfList,
      of: id,
    });

  /** For oneself, only the tasks that do not lock oneself out. */
  function menuOf(person: Person): RowMenuProps {
    const label = fillText(peopleTexts.actionsFor, { name: person.name });
    if (!person.active)
      return { label, items: [{ text: peopleTexts.activate, run: () => void activate(person) }] };
    const self = person.id === staff.staffId;
    const item = (task: PersonTask) => ({ text: peopleTexts[task], run: () => setOpen({ task, person }) });
    return {
      label,
      items: [
        item('edit'),
        item('desks'),
        !self && item('newLink'),
        item('signOut'),
        !self && person.hasFactor && item('resetFactor'),
        !self && { ...item('deactivate'), danger: true, apart: true },
      ],
    };
  }

  return (
    <ListPage
      title={adminTexts.people}
      actions={
        <Button onClick={add}>
          <Shape paths={staffShapes.plus} size={18} />
          {peopleTexts.add}
        </Button>
      }
    >
      <UnstaffedDesks />
      <AdminList
        label={adminTexts.people}
        thing={peopleTexts.thing}
        query={query}
        rows={query.data?.pages.flatMap((page) => page.people)}
        columns={several ? columnsOfSeveral : personColumns}
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
        filtered={searching}
        menus={{ label: peopleTexts.actions, of: menuOf }}
        empty={
          searching ? (
            <NoMatches action={adminTexts.clearSearch} onAction={() => setSearch('')} />
          ) : shown && show === 'active' ? (
            <EmptyList
              title={fillText(peopleTexts.nobodyOf, { profile: shown.displayName })}
              note={peopleTexts.nobodyOfNote}
              action={peopleTexts.showAll}
              onAction={() => setParams({})}
            />
          ) : show === 'active' ? (
            <EmptyList
              title={peopleTexts.emptyActive}
              note={peopleTexts.emptyActiveNote}
              action={peopleTexts.add}
              onAction={add}
            />
          ) : (
            <EmptyList
              title={peopleTexts.emptyDeactivated}
              note={peopleTexts.emptyDeactivatedNote}
              action={peopleTexts.showActive}
              onAction={() => setShow('active')}
            />
          )
        }
        dims={false}
        // Receives the focus when a focused row disappears.
        scrollRef={list}
      />
      <PeopleDialogs open={open} setOpen={setOpen} ask={ask} onGone={startOfList} />
      {dialog}
    </ListPage>
  );
}
