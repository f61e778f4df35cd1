import { AUDIT_PAGE, type AuditEntry } from '@settee/protocol/calls/auditCalls';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { auditTexts } from '@settee/protocol/texts/auditTexts';
import { fillText, localeOf } from '@settee/protocol/texts/fillText';
import { useEffect } from 'react';
import { dateAndTime } from '../../browser/dateAndTime.ts';
import { useCopy } from '../../browser/useCopy.ts';
import { useChange } from '../../staff/useChange.ts';
import { Button } from '../../ui/Button.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import { useAdmin } from '../context.ts';
import { AdminList } from '../parts/AdminList.tsx';
import { EmptyList, ListPage, NoMatches } from '../parts/ListPage.tsx';
import type { Column } from '../parts/ListTable.tsx';
import { SearchField, ToolbarEnd, ToolbarSelect } from '../parts/ListTools.tsx';
import { Link } from '../parts/links.tsx';
import { useAddressFilter, useTypedFilter } from '../parts/useTypedFilter.ts';
import { useProfiles, useScope } from '../profiles/useProfiles.ts';
import { useAdminPages, useAdminQuery } from '../useAdminQuery.ts';
import styles from './AuditPage.module.css';
import { actionText, actorText, auditCsv, detailText, targetLink, targetText } from './auditText.ts';

/** What staff did, to what, and when. */
export function AuditPage() {
  const { session } = useAdmin();
  const scope = useScope();
  const { busy: exporting, run } = useChange('toast');
  const [filter, change, clear] = useAddressFilter(KEYS);
  const { query: audit, searching } = useAudit(filter);
  const filtered = Object.keys(filter).length > 0;
  const head = audit.data?.pages[0]?.head;

  async function download(): Promise<string | undefined> {
    const lines = await auditCsv((query) => session.api('readAudit', { query }), { ...filter, ...scope });
    if (lines === undefined) return auditTexts.exportFailed;
    saveFile('audit-log.csv', new Blob(lines), 'text/csv');
    return undefined;
  }

  return (
    <ListPage
      title={adminTexts.auditLog}
      note={auditTexts.note}
      actions={
        <Button look="outline" onClick={() => void run(download)} disabled={exporting}>
          {exporting ? auditTexts.exporting : adminTexts.downloadCsv}
        </Button>
      }
    >
      <AdminList
        label={adminTexts.auditLog}
        thing={auditTexts.thing}
        query={audit}
        rows={audit.data?.pages.flatMap((page) => page.entries)}
        columns={columns}
        tools={<AuditFilters filter={filter} onChange={change} />}
        filtered={filtered}
        searching={searching}
        total={filtered || scope.profile !== undefined ? undefined : head?.count}
        empty={
          filtered ? (
            <NoMatches action={auditTexts.clear} onAction={clear} />
          ) : (
            <EmptyList title={auditTexts.empty} note={auditTexts.emptyNote} />
          )
        }
        foot={<Head head={head} />}
      />
    </ListPage>
  );
}

const columns: readonly Column<AuditEntry>[] = [
  { text: auditTexts.action, cell: (entry) => <Action entry={entry} /> },
  { text: auditTexts.actor, width: 200, cell: ({ actor }) => <bdi>{actorText(actor)}</bdi> },
  { text: auditTexts.target, width: 240, cell: (entry) => <Target entry={entry} /> },
  {
    text: auditTexts.time,
    width: 148,
    number: true,
    line: 'corner',
    cell: ({ at }, now) => <time dateTime={new Date(at).toISOString()}>{dateAndTime(at, now)}</time>,
  },
];

function Action({ entry: { action, details } }: { entry: AuditEntry }) {
  const profile = useProfileIn(details);
  const text = detailText({ ...details, ...(profile && { profile: profile.displayName }) });
  return (
    <span className={styles.action}>
      {actionText(action)}
      {text !== '' && (
        <small className={styles.details}>
          <bdi>{text}</bdi>
        </small>
      )}
    </span>
  );
}

/** An entry about another profile than the first one names it. */
function useProfileIn(details: AuditEntry['details']) {
  return useProfiles().profiles.find(({ slug }) => slug === details.profile);
}

function Target({ entry: { target, details } }: { entry: AuditEntry }) {
  const profile = useProfileIn(details);
  const isProfile = profile?.slug === target.id;
  const link = isProfile ? `/profiles/${target.id}` : targetLink(target);
  const text = <bdi>{isProfile ? profile.displayName : targetText(target)}</bdi>;
  return link === undefined ? text : <Link to={link}>{text}</Link>;
}

/** The count and hash, stored elsewhere, later prove that no entries were cut off. */
function Head({ head }: { head: { count: number; hash: string } | undefined }) {
  const { copied, copy } = useCopy();
  if (!head) return null;
  const { count, hash } = head;
  const text = fillText(auditTexts.entries, { count, hash: hash.slice(0, 12) });
  return (
    <div className={styles.head}>
      <p className="cut" title={auditTexts.verify}>
        {text}
      </p>
      <Button
        look="outline"
        title={auditTexts.verify}
        onClick={() => void copy(`--count ${count} --head ${hash}`)}
      >
        {copied ? adminTexts.copied : auditTexts.copyHead}
      </Button>
    </div>
  );
}

type AuditFiltersProps = { filter: AuditFilter; onChange: (change: AuditFilter) => void };

function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const choices = useAdminQuery('audit', 'readAuditChoices', {}).data;
  const [search, setSearch] = useTypedFilter(filter.q ?? '', (q) => onChange({ q }));

  return (
    <>
      <SearchField
        label={auditTexts.search}
        placeholder={auditTexts.searchHint}
        maxLength={100}
        value={search}
        onChange={setSearch}
      />
      <ToolbarEnd>
        <ToolbarSelect
          label={auditTexts.action}
          value={filter.action ?? ''}
          onChange={(action) => onChange({ action })}
          options={selectOptions(
            filter.action,
            auditTexts.anything,
            (choices?.actions ?? []).map((action) => ({ value: action, text: actionText(action) })),
          )}
        />
        <ToolbarSelect
          label={auditTexts.actor}
          value={filter.actor ?? ''}
          onChange={(actor) => onChange({ actor })}
          options={selectOptions(
            filter.actor,
            auditTexts.anyone,
            (choices?.actors ?? []).map((actor) => ({ value: actor.id, text: actorText(actor) })),
          )}
        />
      </ToolbarEnd>
    </>
  );
}

/** Sorted by text, after the empty option. The selected value is listed even before the choices have loaded. */
function selectOptions(chosen: string | undefined, none: string, options: { value: string; text: string }[]) {
  const sorted = options.toSorted((one, two) => one.text.localeCompare(two.text, localeOf()));
  const missing = chosen !== undefined && !options.some(({ value }) => value === chosen);
  return [{ value: '', text: none }, ...sorted, ...(missing ? [{ value: chosen, text: chosen }] : [])];
}

const KEYS = ['actor', 'action', 'q'] as const;
type AuditFilter = Partial<Record<(typeof KEYS)[number], string>>;

/** The log, newest entries first. A search continues with older entries until a page is full. */
function useAudit(filter: AuditFilter) {
  const query = useAdminPages(
    'audit',
    'readAudit',
    { ...filter, ...useScope() },
    { cursor: 'before', next: (page) => page.next },
  );
  const { data, hasNextPage, isFetching, isFetchNextPageError, isPlaceholderData, fetchNextPage } = query;
  const found = data?.pages.at(-1)?.entries.length ?? AUDIT_PAGE;
  const searching = hasNextPage && !isPlaceholderData && !isFetchNextPageError && found < AUDIT_PAGE;
  useEffect(() => {
    if (searching && !isFetching) void fetchNextPage();
  }, [searching, isFetching, fetchNextPage]);
  return { query, searching };
}
