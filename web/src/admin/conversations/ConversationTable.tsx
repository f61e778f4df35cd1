import type { AdminRow } from '@settee/protocol/calls/conversationAdminCalls';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { conversationAdminTexts as texts } from '@settee/protocol/texts/conversationAdminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { DeletedList } from '../../staff/DeletedList.tsx';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { ListFailed, ListLoading } from '../../staff/ListState.tsx';
import { useCurrentMinute } from '../../staff/useCurrentMinute.ts';
import { Button } from '../../ui/Button.tsx';
import { useAdmin } from '../context.ts';
import { useChunks } from '../inChunks.ts';
import { BulkBar } from '../parts/BulkBar.tsx';
import { EmptyList, ListFoot, ListPanel, ResultCount } from '../parts/ListPage.tsx';
import { ListTable } from '../parts/ListTable.tsx';
import { Link } from '../parts/links.tsx';
import { StaleContent } from '../parts/StaleContent.tsx';
import { useSelection } from '../parts/useSelection.ts';
import {
  CONVERSATIONS_PER_CALL,
  ReassignDialog,
  type Task,
  TaskDialog,
  useToggleStatus,
} from './ConversationDialogs.tsx';
import { ConversationRow, columns, rowId } from './ConversationRow.tsx';
import { countText, FilterBar, type Filters, isFiltered } from './FilterBar.tsx';
import { useConversationList } from './useConversationList.ts';

type ConversationTableProps = {
  filters: Filters;
  openId: string | undefined;
  onChange: (filters: Filters) => void;
  onShowAll: () => void;
};

export function ConversationTable({ filters, openId, onChange, onShowAll }: ConversationTableProps) {
  const list = useConversationList(filters);
  const { rows, stale, failed } = list;
  const now = useCurrentMinute();
  const ids = useMemo(() => (rows ?? []).map(({ conversationId }) => conversationId), [rows]);
  const { selected, select, ticks, clear } = useSelection(ids);
  const { onTask, dialog } = useRowTasks();
  useRowInSight(openId, ids.length > 0);

  function content() {
    const couldNotLoad = fillText(adminTexts.loadFailed, { thing: texts.thing });
    const failure = failed && <ListFailed text={couldNotLoad} onTryAgain={list.tryAgain} />;
    if (!rows) return failure || <ListLoading text={adminTexts.adminLoading} />;
    if (rows.length === 0) return <Nothing filters={filters} onChange={onChange} onShowAll={onShowAll} />;
    return (
      <>
        <ListTable
          label={adminTexts.conversations}
          columns={columns}
          ticks={{ ...ticks, label: texts.selectAll }}
          menus={texts.actions}
        >
          {rows.map((row) => (
            <ConversationRow
              key={row.conversationId}
              row={row}
              now={now}
              open={row.conversationId === openId}
              selected={selected.includes(row.conversationId)}
              onSelect={select}
              onTask={onTask}
            />
          ))}
        </ListTable>
        {failure}
      </>
    );
  }

  return (
    <>
      <ListPanel
        label={adminTexts.conversations}
        picking={selected.length > 0}
        tools={<FilterBar filters={filters} counts={list.counts} onChange={onChange} />}
        foot={
          ids.length > 0 && (
            <ListFoot
              shown={ids.length}
              total={filters.q === '' ? countText(filters.show, list.counts) : undefined}
              more={list.more}
              thing={texts.thing}
            />
          )
        }
      >
        <DeletedList rows={list.deleted} now={now} desks />
        <StaleContent stale={stale} empty={rows?.length === 0}>
          {content()}
        </StaleContent>
      </ListPanel>
      <ResultCount
        count={isFiltered(filters) && !stale ? rows?.length : undefined}
        more={list.more !== undefined}
      />
      <ConversationBulkBar
        chosen={(rows ?? []).filter(({ conversationId }) => selected.includes(conversationId))}
        onClear={clear}
      />
      {dialog}
    </>
  );
}

type NothingProps = Pick<ConversationTableProps, 'filters' | 'onChange' | 'onShowAll'>;

export function Nothing({ filters, onChange, onShowAll }: NothingProps) {
  if (!isFiltered(filters)) {
    return (
      <EmptyList title={texts.none} note={texts.noneNote}>
        <Link to="/invites/new">{texts.toInvites}</Link>
      </EmptyList>
    );
  }
  const waiting = filters.show === 'waiting' && filters.q === '';
  return (
    <EmptyList
      title={waiting ? texts.noneWaiting : adminTexts.noMatches}
      note={waiting ? texts.noneWaitingNote : adminTexts.noMatchesNote}
    >
      {filters.q !== '' && (
        <Button look="outline" onClick={() => onChange({ ...filters, in: 'messages' })}>
          {texts.searchMessagesInstead}
        </Button>
      )}
      <Button look="outline" onClick={onShowAll}>
        {texts.showAll}
      </Button>
    </EmptyList>
  );
}

function useRowTasks() {
  const { toggle } = useToggleStatus('toast');
  const [asked, setAsked] = useState<{ task: Task; row: AdminRow } | null>(null);
  const onTask = useCallback(
    (task: Task | 'toggle', row: AdminRow) => {
      if (task !== 'toggle') return setAsked({ task, row });
      toggle({ id: row.conversationId, name: visitorNameOrLabel(row), status: row.status });
    },
    [toggle],
  );
  return {
    onTask,
    dialog: asked && (
      <TaskDialog
        task={asked.task}
        id={asked.row.conversationId}
        alias={asked.row.handlerAlias}
        name={visitorNameOrLabel(asked.row)}
        onClose={() => setAsked(null)}
      />
    ),
  };
}

/** Scrolls the open conversation's row into view, when it opens and when the rows have loaded. */
function useRowInSight(openId: string | undefined, loaded: boolean): void {
  useEffect(() => {
    if (openId === undefined || !loaded) return;
    document.getElementById(rowId(openId))?.closest('tr')?.scrollIntoView({ block: 'nearest' });
  }, [openId, loaded]);
}

/**
 * Actions for all selected conversations. It stays mounted without a selection, because an update may remove
 * every selected row while a dialog is open.
 */
function ConversationBulkBar({ chosen, onClear }: { chosen: readonly AdminRow[]; onClear: () => void }) {
  // The dialog keeps the conversations that were selected when it opened.
  const [asking, setAsking] = useState<{ what: 'reassign' | 'close'; rows: readonly AdminRow[] } | null>(
    null,
  );
  const shared = { onClose: () => setAsking(null), onDone: onClear };
  const ids = asking?.rows.map(({ conversationId }) => conversationId) ?? [];
  return (
    <>
      <BulkBar count={chosen.length} onClear={onClear}>
        <button type="button" onClick={() => setAsking({ what: 'reassign', rows: chosen })}>
          {adminTexts.reassign}
        </button>
        <button type="button" onClick={() => setAsking({ what: 'close', rows: chosen })}>
          {texts.close}
        </button>
      </BulkBar>
      {asking?.what === 'reassign' && (
        <ReassignDialog ids={ids} from={asking.rows.map(({ handlerAlias }) => handlerAlias)} {...shared} />
      )}
      {asking?.what === 'close' && <CloseManyDialog ids={ids} {...shared} />}
    </>
  );
}

type CloseManyDialogProps = { ids: readonly string[]; onClose: () => void; onDone: () => void };

function CloseManyDialog({ ids, onClose, onDone }: CloseManyDialogProps) {
  const { session } = useAdmin();
  const callEach = useChunks(ids, CONVERSATIONS_PER_CALL);
  return (
    <FormDialog
      title={fillText(texts.closeMany, { count: ids.length })}
      note={texts.closeManyNote}
      action={texts.close}
      onSubmit={() => callEach((chunk) => session.api('closeMany', { body: { ids: chunk } }))}
      say={(answers) => {
        const count = answers.reduce((sum, { closed }) => sum + closed, 0);
        const missed = answers.reduce((sum, answer) => sum + answer.missed.length, 0);
        return fillText(missed > 0 ? texts.closedSome : texts.closedMany, { count, missed });
      }}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
