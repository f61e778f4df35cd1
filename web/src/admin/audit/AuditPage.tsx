import { adminTexts } from '@settee/protocol/adminTexts';
import { auditTexts } from '@settee/protocol/auditTexts';
import { fillText } from '@settee/protocol/fillText';
import { useState } from 'react';
import { useCopy } from '../../chat/useCopy.ts';
import { Card } from '../../staff/Card.tsx';
import { ListFailed, ListLoading, ListState } from '../../staff/ListState.tsx';
import { useToasts } from '../../staff/toast/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import { useAdmin } from '../context.ts';
import { LoadMore } from '../parts/LoadMore.tsx';
import { OfChoice } from '../parts/OfChoice.tsx';
import { Page } from '../parts/Page.tsx';
import { AuditFilters } from './AuditFilters.tsx';
import styles from './AuditPage.module.css';
import { AuditTable } from './AuditTable.tsx';
import { auditCsv } from './auditCsv.ts';
import { useAudit, useAuditFilter } from './useAudit.ts';

/** What staff did: who, what, about whom, and when. */
export function AuditPage() {
  const { session } = useAdmin();
  const toasts = useToasts();
  const { filter, set, clear } = useAuditFilter();
  const audit = useAudit(filter);
  const [exporting, setExporting] = useState(false);
  const filtered = Object.keys(filter).length > 0;
  const entries = audit.data?.pages.flatMap((page) => page.entries) ?? [];
  const head = audit.data?.pages[0]?.head;

  async function download(): Promise<void> {
    setExporting(true);
    const lines = await auditCsv((query) => session.api('readAudit', { query }), filter);
    setExporting(false);
    if (lines === undefined) toasts.show({ text: auditTexts.exportFailed });
    else saveFile('audit-log.csv', new Blob(lines), 'text/csv');
  }

  return (
    <Page
      title={adminTexts.auditLog}
      actions={
        <Button look="outline" onClick={() => void download()} disabled={exporting}>
          {exporting ? auditTexts.exporting : adminTexts.downloadCsv}
        </Button>
      }
    >
      <p className={styles.note}>{auditTexts.note}</p>
      <Card>
        <AuditFilters filter={filter} onChange={set} />
        <OfChoice earlier={audit.isPlaceholderData} empty={entries.length === 0}>
          {audit.isError && entries.length === 0 ? (
            <ListFailed
              text={fillText(adminTexts.loadFailed, { thing: auditTexts.thing })}
              onTryAgain={() => void audit.refetch()}
            />
          ) : audit.data === undefined ? (
            <ListLoading text={adminTexts.adminLoading} />
          ) : entries.length === 0 ? (
            <ListState>
              <p>{filtered ? auditTexts.nothingFound : auditTexts.empty}</p>
              {filtered && (
                <Button look="outline" onClick={clear}>
                  {auditTexts.clear}
                </Button>
              )}
            </ListState>
          ) : (
            <AuditTable entries={entries} />
          )}
        </OfChoice>
        <LoadMore query={audit} thing={auditTexts.thing} />
      </Card>
      {head && <Head {...head} />}
    </Page>
  );
}

/** Whoever keeps this elsewhere can tell later that nothing was cut off. */
function Head({ count, hash }: { count: number; hash: string }) {
  const { copied, copy } = useCopy();
  const words = fillText(auditTexts.entries, { count: count.toLocaleString('en'), hash: hash.slice(0, 12) });
  return (
    <footer className={styles.head}>
      <p>
        {words}… {auditTexts.verify}
      </p>
      <Button look="outline" onClick={() => void copy(`--count ${count} --head ${hash}`)}>
        {copied ? adminTexts.copied : auditTexts.copyHead}
      </Button>
    </footer>
  );
}
