import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { auditTexts } from '@settee/protocol/texts/auditTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { useCopy } from '../../browser/useCopy.ts';
import { ListFailed, ListLoading } from '../../staff/ListState.tsx';
import { useToasts } from '../../staff/toast/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import { useAdmin } from '../context.ts';
import { EmptyList, ListFoot, ListPage, ListPanel, ResultCount } from '../parts/ListPage.tsx';
import { moreOf } from '../parts/paging.ts';
import { StaleContent } from '../parts/StaleContent.tsx';
import { AuditFilters } from './AuditFilters.tsx';
import styles from './AuditPage.module.css';
import { AuditTable } from './AuditTable.tsx';
import { auditCsv } from './auditCsv.ts';
import { useAudit, useAuditFilter } from './useAudit.ts';

/** What staff did, to what, and when. */
export function AuditPage() {
  const { session } = useAdmin();
  const toasts = useToasts();
  const { filter, set, clear } = useAuditFilter();
  const audit = useAudit(filter);
  const [exporting, setExporting] = useState(false);
  const filtered = Object.keys(filter).length > 0;
  const stale = audit.isPlaceholderData;
  const entries = audit.data?.pages.flatMap((page) => page.entries) ?? [];
  const head = audit.data?.pages[0]?.head;
  const more = moreOf(audit);

  async function download(): Promise<void> {
    setExporting(true);
    const lines = await auditCsv((query) => session.api('readAudit', { query }), filter);
    setExporting(false);
    if (lines === undefined) toasts.show({ text: auditTexts.exportFailed });
    else saveFile('audit-log.csv', new Blob(lines), 'text/csv');
  }

  return (
    <ListPage
      title={adminTexts.auditLog}
      actions={
        <Button look="outline" onClick={() => void download()} disabled={exporting}>
          {exporting ? auditTexts.exporting : adminTexts.downloadCsv}
        </Button>
      }
    >
      <p className={styles.note}>{auditTexts.note}</p>
      <ListPanel
        label={adminTexts.auditLog}
        tools={<AuditFilters filter={filter} onChange={set} />}
        foot={
          <ListFoot
            shown={entries.length}
            total={filtered ? undefined : head?.count}
            more={more}
            thing={auditTexts.thing}
          >
            {head && <Head {...head} />}
          </ListFoot>
        }
      >
        <StaleContent stale={stale} empty={entries.length === 0}>
          {audit.isError && entries.length === 0 ? (
            <ListFailed
              text={fillText(adminTexts.loadFailed, { thing: auditTexts.thing })}
              onTryAgain={() => void audit.refetch()}
            />
          ) : audit.data === undefined ? (
            <ListLoading text={adminTexts.adminLoading} />
          ) : entries.length === 0 ? (
            <EmptyList
              title={filtered ? adminTexts.noMatches : auditTexts.empty}
              note={filtered ? adminTexts.noMatchesNote : auditTexts.emptyNote}
            >
              {filtered && (
                <Button look="outline" onClick={clear}>
                  {auditTexts.clear}
                </Button>
              )}
            </EmptyList>
          ) : (
            <AuditTable entries={entries} />
          )}
        </StaleContent>
      </ListPanel>
      <ResultCount
        count={filtered && !stale && audit.data ? entries.length : undefined}
        more={more !== undefined}
      />
    </ListPage>
  );
}

/** The count and hash, stored elsewhere, later prove that no entries were cut off. */
function Head({ count, hash }: { count: number; hash: string }) {
  const { copied, copy } = useCopy();
  const text = fillText(auditTexts.entries, { count: count.toLocaleString('en'), hash: hash.slice(0, 12) });
  return (
    <div className={styles.head}>
      <p title={auditTexts.verify}>{text}…</p>
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
