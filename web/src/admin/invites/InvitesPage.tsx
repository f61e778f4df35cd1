import type { ManagedInvite } from '@settee/protocol/model/managedInvite';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { csvLine } from '@settee/protocol/render/csv';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { useMemo, useState } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { dateAndTime } from '../../browser/dateAndTime.ts';
import { dayLabel, relativeTime } from '../../browser/times.ts';
import { useCopy } from '../../browser/useCopy.ts';
import { Pill } from '../../staff/Pill.tsx';
import { staffShapes } from '../../staff/shapes.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon, Shape } from '../../ui/Icon.tsx';
import { AdminList } from '../parts/AdminList.tsx';
import { BulkBar } from '../parts/BulkBar.tsx';
import { EmptyList, ListPage, NoMatches } from '../parts/ListPage.tsx';
import type { Column } from '../parts/ListTable.tsx';
import { Link, useNavigate } from '../parts/links.tsx';
import type { RowMenuProps } from '../parts/RowMenu.tsx';
import { useSelection } from '../parts/useSelection.ts';
import { DeskName, type ProfileOf, useProfileOf } from '../useDesks.tsx';
import { InviteDialog, type InviteTask } from './InviteDialogs.tsx';
import { countText, InviteFilterBar, useInviteFilter, useInvites } from './InviteFilterBar.tsx';
import { exceptionTone, inviteName, stateWord } from './inviteText.ts';
import { NewInvitePage } from './NewInvitePage.tsx';

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
  const toNew = () => void navigate('/invites/new');
  const [filter, setFilter] = useInviteFilter();
  const query = useInvites(filter);
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.rows), [query.data]);
  const counts = query.data?.pages[0]?.counts;
  const filtered = filter.state !== null || filter.alias !== '' || filter.search !== '';
  const ids = useMemo(() => (rows ?? []).map(({ id }) => id), [rows]);
  // Changing the filter clears the selection.
  const selection = useSelection(ids, JSON.stringify(filter));
  const [asked, setAsked] = useState<InviteTask | null>(null);
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
      <AdminList
        label={adminTexts.invites}
        thing={texts.thing}
        query={query}
        rows={rows}
        columns={columns}
        tools={<InviteFilterBar filter={filter} counts={counts} onChange={setFilter} />}
        filtered={filtered}
        total={counts && countText(counts, filter)}
        selection={{
          ...selection,
          labelAll: texts.selectShown,
          labelOf: (invite) => fillText(texts.selectOne, { label: inviteName(invite) }),
        }}
        menus={{ label: texts.actions, of: (invite) => menuOf(invite, setAsked) }}
        empty={
          filtered ? (
            <NoMatches
              action={texts.showAll}
              onAction={() => setFilter({ state: null, alias: '', search: '' })}
            />
          ) : (
            <EmptyList title={texts.empty} note={texts.emptyNote} action={texts.newInvite} onAction={toNew} />
          )
        }
      />
      <InviteBulkBar
        selected={(rows ?? []).filter(({ id }) => selection.selected.includes(id))}
        onClear={selection.clear}
        onRevoke={(invites) => setAsked({ what: 'revoke', invites })}
      />
      {asked && (
        <InviteDialog
          asked={asked}
          onClose={() => setAsked(null)}
          onDone={() => asked.what === 'revoke' && selection.clear()}
        />
      )}
    </ListPage>
  );
}

const columns: readonly Column<ManagedInvite>[] = [
  { text: texts.label, cell: (invite) => <span dir="auto">{inviteName(invite)}</span> },
  {
    text: texts.state,
    width: 136,
    cell: ({ state }) => {
      const tone = exceptionTone[state];
      return tone ? <Pill tone={tone}>{stateWord(state)}</Pill> : stateWord(state);
    },
  },
  { text: texts.desk, width: 136, cell: ({ handlerAlias }) => <DeskName alias={handlerAlias} /> },
  {
    text: texts.visitor,
    width: 160,
    cell: ({ conversation }) =>
      conversation && (
        <Link to={`/conversations/${conversation.id}`}>
          <bdi>{visitorNameOrLabel(conversation)}</bdi>
        </Link>
      ),
  },
  {
    text: texts.opened,
    width: 148,
    cell: (invite, now) => <span title={openedAt(invite, now)}>{opened(invite, now)}</span>,
  },
  {
    text: texts.created,
    width: 112,
    from: 'l',
    line: 'none',
    cell: ({ createdAt }, now) => <span title={dateAndTime(createdAt, now)}>{dayLabel(createdAt, now)}</span>,
  },
  {
    text: texts.expires,
    width: 112,
    from: 'm',
    line: 'named',
    cell: ({ state, expiresAt }, now) =>
      state === 'BOUND' || state === 'REVOKED' ? null : dayLabel(expiresAt, now),
  },
];

/** When the invite was opened, or when the chat started. */
function opened({ seenAt, boundAt }: ManagedInvite, now: number): string {
  if (boundAt !== null) return fillText(texts.started, { when: relativeTime(boundAt, now) });
  return seenAt === null ? texts.notOpened : relativeTime(seenAt, now);
}

function openedAt({ seenAt, boundAt }: ManagedInvite, now: number): string | undefined {
  const at = boundAt ?? seenAt;
  return at === null ? undefined : dateAndTime(at, now);
}

/** The tasks that the invite's state allows. */
function menuOf(invite: ManagedInvite, ask: (task: InviteTask) => void): RowMenuProps {
  const { state } = invite;
  const label = fillText(texts.actionsOf, { label: inviteName(invite) });
  if (state === 'REVOKED') return { label, items: [] };
  return {
    label,
    items: [
      { text: texts.edit, run: () => ask({ what: 'edit', invite }) },
      // A replaced link would be expired as well: edit the days first.
      state !== 'EXPIRED' && { text: texts.replaceLink, run: () => ask({ what: 'replace', invite }) },
      state === 'BOUND' && { text: texts.resetCode, run: () => ask({ what: 'code', invite }) },
      { text: texts.revoke, danger: true, run: () => ask({ what: 'revoke', invites: [invite] }) },
    ],
  };
}

type InviteBulkBarProps = {
  selected: ManagedInvite[];
  onClear: () => void;
  onRevoke: (invites: ManagedInvite[]) => void;
};

/** Actions for all selected invites. Links are not available here. */
function InviteBulkBar({ selected, onClear, onRevoke }: InviteBulkBarProps) {
  const { copied, copy } = useCopy();
  const profileOf = useProfileOf();
  const revocable = selected.filter(({ state }) => state !== 'REVOKED');
  return (
    <BulkBar count={selected.length} onClear={onClear}>
      <button type="button" onClick={() => void copy(asCsv(selected, profileOf))}>
        <Icon name="copy" size={17} />
        {copied ? adminTexts.copied : texts.copyRows}
      </button>
      <button type="button" data-danger disabled={revocable.length === 0} onClick={() => onRevoke(revocable)}>
        <Shape paths={staffShapes.ban} size={17} />
        {texts.revoke}
      </button>
    </BulkBar>
  );
}

/** The rows without their links. */
function asCsv(invites: ManagedInvite[], profileOf: ProfileOf): string {
  const several = invites.some(({ handlerAlias }) => profileOf(handlerAlias));
  const head = csvLine([
    texts.label,
    texts.state,
    texts.desk,
    texts.visitor,
    texts.expires,
    ...(several ? [profileTexts.profile] : []),
  ]);
  const lines = invites.map(({ label, state, handlerAlias, conversation, expiresAt }) =>
    csvLine([
      label,
      stateWord(state),
      handlerAlias,
      conversation && visitorNameOrLabel(conversation),
      new Date(expiresAt).toISOString(),
      ...(several ? [profileOf(handlerAlias)?.displayName ?? ''] : []),
    ]),
  );
  return head + lines.join('');
}
