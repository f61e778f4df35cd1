import type { AuditEntry } from '@settee/protocol/calls/auditCalls';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { auditTexts } from '@settee/protocol/texts/auditTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { Link } from 'react-router';
import { dateAndTime } from '../../browser/dateAndTime.ts';
import { useCopy } from '../../browser/useCopy.ts';
import { useChange } from '../../staff/useChange.ts';
import { Button } from '../../ui/Button.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import { useAdmin } from '../context.ts';
import { AdminList } from '../parts/AdminList.tsx';
import { EmptyList, ListPage, NoMatches } from '../parts/ListPage.tsx';
import type { Column } from '../parts/ListTable.tsx';
import { AuditFilters } from './AuditFilters.tsx';
import styles from './AuditPage.module.css';
import { auditCsv } from './auditCsv.ts';
import { actionText, actorText, detailText, targetLink, targetText } from './auditText.ts';
import { useAudit, useAuditFilter } from './useAudit.ts';

/** What staff did, to what, and when. */
export function AuditPage() {
  const { session } = useAdmin();
  const { busy: exporting, run } = useChange('toast');
  const { filter, set, clear } = useAuditFilter();
  const { query: audit, searching } = useAudit(filter);
  const filtered = Object.keys(filter).length > 0;
  const head = audit.data?.pages[0]?.head;

  async function download(): Promise<string | undefined> {
    const lines = await auditCsv((query) => session.api('readAudit', { query }), filter);
    if (lines === undefined) return auditTexts.exportFailed;
    saveFile('audit-log.csv', new Blob(lines), 'text/csv');
    return undefined;
  }

  return (
    <ListPage
      title={adminTexts.auditLog}
      actions={
        <Button look="outline" onClick={() => void run(download)} disabled={exporting}>
          {exporting ? auditTexts.exporting : adminTexts.downloadCsv}
        </Button>
      }
    >
      <p className={styles.note}>{auditTexts.note}</p>
      <AdminList
        label={adminTexts.auditLog}
        thing={auditTexts.thing}
        query={audit}
        rows={audit.data?.pages.flatMap((page) => page.entries)}
        columns={columns}
        tools={<AuditFilters filter={filter} onChange={set} />}
        filtered={filtered}
        searching={searching}
        total={filtered ? undefined : head?.count}
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
  { text: auditTexts.target, width: 240, cell: ({ target }) => <Target target={target} /> },
  {
    text: auditTexts.time,
    width: 148,
    number: true,
    line: 'corner',
    cell: ({ at }, now) => <time dateTime={new Date(at).toISOString()}>{dateAndTime(at, now)}</time>,
  },
];

function Action({ entry: { action, details } }: { entry: AuditEntry }) {
  const text = detailText(details);
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

function Target({ target }: Pick<AuditEntry, 'target'>) {
  const link = targetLink(target);
  const text = <bdi>{targetText(target)}</bdi>;
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
      <p title={auditTexts.verify}>{text}</p>
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
