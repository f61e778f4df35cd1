import { MAIN, type ManagedProfile } from '@settee/protocol/model/profile';
import { auditTexts } from '@settee/protocol/texts/auditTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { useRef, useState } from 'react';
import { fold } from '../../staff/search/fold.ts';
import { staffShapes } from '../../staff/shapes.ts';
import { Button } from '../../ui/Button.tsx';
import { Shape } from '../../ui/Icon.tsx';
import { AdminList } from '../parts/AdminList.tsx';
import { ListPage, NoMatches } from '../parts/ListPage.tsx';
import { Chips, SearchField } from '../parts/ListTools.tsx';
import { useNavigate } from '../parts/links.tsx';
import { useAddressFilter, useTypedFilter } from '../parts/useTypedFilter.ts';
import { useAdminQuery } from '../useAdminQuery.ts';
import { ArchiveDialog, NewProfileDialog } from './ProfileDialogs.tsx';
import { deskNamesOf, onDutyOf, profileColumns } from './profileColumns.tsx';

const shows = {
  '': ({ archivedAt }) => archivedAt === null,
  nobody: (profile) => profile.archivedAt === null && onDutyOf(profile).length === 0,
  archived: ({ archivedAt }) => archivedAt !== null,
} satisfies Record<string, (profile: ManagedProfile) => boolean>;
const SHOWS = Object.keys(shows) as (keyof typeof shows)[];

const showTexts = {
  '': profileTexts.active,
  nobody: profileTexts.nobody,
  archived: profileTexts.archivedOnes,
};

type Task = { what: 'new' } | { what: 'archive'; profile: ManagedProfile };

/** Every profile: who is on duty, and what waits there. */
export function ProfileList() {
  // Under this topic it follows the work and the people, as the dashboard does.
  const query = useAdminQuery('dashboard', 'listProfiles', {});
  const navigate = useNavigate();
  const toPage = (slug: string) => void navigate(`/profiles/${slug}`);
  const [filter, change, clear] = useAddressFilter(['show', 'q']);
  const [typed, setTyped] = useTypedFilter(filter.q ?? '', (q) => change({ q }));
  const [task, setTask] = useState<Task | null>(null);
  const list = useRef<HTMLElement>(null);
  const show = SHOWS.find((known) => known === filter.show) ?? '';
  const profiles = query.data?.profiles ?? [];
  const found = profiles
    .filter((profile) => shows[show](profile) && matches(profile, filter.q ?? ''))
    .map((profile) => ({ ...profile, id: profile.slug }));

  const menuOf = (profile: ManagedProfile) => ({
    label: fillText(peopleTexts.actionsFor, { name: profile.displayName }),
    items: [
      { text: profileTexts.open, run: () => toPage(profile.slug) },
      profile.slug !== MAIN && {
        text: profile.archivedAt === null ? profileTexts.archive : profileTexts.unarchive,
        run: () => setTask({ what: 'archive', profile }),
        apart: true,
      },
    ],
  });

  return (
    <ListPage
      title={profileTexts.title}
      actions={
        <Button onClick={() => setTask({ what: 'new' })}>
          <Shape paths={staffShapes.plus} size={18} />
          {profileTexts.add}
        </Button>
      }
    >
      <AdminList
        label={profileTexts.title}
        thing={profileTexts.things}
        query={query}
        rows={found}
        columns={profileColumns}
        tools={
          <>
            <SearchField
              label={profileTexts.search}
              placeholder={profileTexts.searchHint}
              value={typed}
              onChange={setTyped}
            />
            <Chips
              label={peopleTexts.show}
              value={show}
              options={SHOWS.map((value) => ({
                value,
                text: showTexts[value],
                count: query.data && profiles.filter(shows[value]).length,
              }))}
              onChange={(value) => change({ show: value })}
            />
          </>
        }
        filtered={filter.q !== undefined}
        menus={{ label: peopleTexts.actions, of: menuOf }}
        empty={<NoMatches action={auditTexts.clear} onAction={clear} />}
        scrollRef={list}
      />
      {task?.what === 'new' && <NewProfileDialog onMade={toPage} onClose={() => setTask(null)} />}
      {task?.what === 'archive' && (
        <ArchiveDialog
          profile={task.profile}
          // The row with the focus leaves the list.
          onDone={() => list.current?.focus({ preventScroll: true })}
          onClose={() => setTask(null)}
        />
      )}
    </ListPage>
  );
}

function matches(profile: ManagedProfile, q: string): boolean {
  return [profile.displayName, ...deskNamesOf(profile)].some((name) => fold(name).includes(fold(q)));
}
