import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { useMemo, useState } from 'react';
import { Navigate, Route, Routes, useNavigate } from 'react-router';
import { staffShapes } from '../../staff/shapes.ts';
import { Button } from '../../ui/Button.tsx';
import { Shape } from '../../ui/Icon.tsx';
import { EmptyList, ListFoot, ListPage, ListPanel, ResultCount } from '../parts/ListPage.tsx';
import { moreOf } from '../parts/paging.ts';
import { QueryContent } from '../parts/QueryContent.tsx';
import { StaleContent } from '../parts/StaleContent.tsx';
import { useSelection } from '../parts/useSelection.ts';
import { InviteBulkBar } from './InviteBulkBar.tsx';
import { InviteDialog, type InviteTask } from './InviteDialogs.tsx';
import { InviteFilterBar, totalOf } from './InviteFilterBar.tsx';
import { InviteTable } from './InviteTable.tsx';
import { NewInvitePage } from './NewInvitePage.tsx';
import { type InviteFilter, useInviteFilter, useInvites } from './useInvites.ts';

/** Routes below /admin/invites. The print sheet is not among them, because it has no frame. */
export function InvitesPage() {
  return (
    <Routes>
      <Route index element={<InviteList />} />
      <Route path="new" element={<NewInvitePage kind="new" />} />
      <Route path="bulk" element={<NewInvitePage kind="bulk" />} />
      <Route path="import" element={<NewInvitePage kind="import" />} />
      <Route path="*" element={<Navigate to="/invites" replace />} />
    </Routes>
  );
}

function InviteList() {
  const navigate = useNavigate();
  const [filter, setFilter] = useInviteFilter();
  const toNew = () => void navigate('/invites/new');
  return (
    <ListPage
      title={adminTexts.invites}
      actions={
        <Button onClick={toNew}>
          <Shape paths={staffShapes.plus} size={18} />
          {texts.newInvite}
        </Button>
      }
    >
      <Invites filter={filter} onChange={setFilter} onNew={toNew} />
    </ListPage>
  );
}

type InvitesProps = {
  filter: InviteFilter;
  onChange: (change: Partial<InviteFilter>) => void;
  onNew: () => void;
};

function Invites({ filter, onChange, onNew }: InvitesProps) {
  const query = useInvites(filter);
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.rows), [query.data]);
  const counts = query.data?.pages[0]?.counts;
  const narrowed = filter.state !== null || filter.alias !== '' || filter.search !== '';
  const stale = query.isPlaceholderData;
  const ids = useMemo(() => (rows ?? []).map(({ id }) => id), [rows]);
  // Changing the filter clears the selection.
  const selection = useSelection(ids, JSON.stringify(filter));
  const { selected, clear } = selection;
  const [asked, setAsked] = useState<InviteTask | null>(null);
  const more = moreOf(query);
  return (
    <>
      <ListPanel
        label={adminTexts.invites}
        picking={selected.length > 0}
        tools={<InviteFilterBar filter={filter} counts={counts} onChange={onChange} />}
        foot={
          rows &&
          rows.length > 0 && (
            <ListFoot
              shown={rows.length}
              total={counts && totalOf(counts, filter.state)}
              more={more}
              thing={texts.thing}
            />
          )
        }
      >
        <QueryContent query={query} thing={texts.thing}>
          {() => (
            <StaleContent stale={stale} empty={rows?.length === 0}>
              {rows?.length === 0 ? (
                <Nothing
                  narrowed={narrowed}
                  onNew={onNew}
                  onAll={() => onChange({ state: null, alias: '', search: '' })}
                />
              ) : (
                <InviteTable rows={rows ?? []} selection={selection} onTask={setAsked} />
              )}
            </StaleContent>
          )}
        </QueryContent>
      </ListPanel>
      <ResultCount count={narrowed && !stale ? rows?.length : undefined} more={more !== undefined} />
      <InviteBulkBar
        selected={(rows ?? []).filter(({ id }) => selected.includes(id))}
        onClear={clear}
        onRevoke={(invites) => setAsked({ what: 'revoke', invites })}
      />
      {asked && (
        <InviteDialog
          asked={asked}
          onClose={() => setAsked(null)}
          onDone={() => asked.what === 'revoke' && clear()}
        />
      )}
    </>
  );
}

type NothingProps = { narrowed: boolean; onNew: () => void; onAll: () => void };

function Nothing({ narrowed, onNew, onAll }: NothingProps) {
  return (
    <EmptyList
      title={narrowed ? adminTexts.noMatches : texts.empty}
      note={narrowed ? adminTexts.noMatchesNote : texts.emptyNote}
    >
      <Button look="outline" onClick={narrowed ? onAll : onNew}>
        {narrowed ? texts.showAll : texts.newInvite}
      </Button>
    </EmptyList>
  );
}
