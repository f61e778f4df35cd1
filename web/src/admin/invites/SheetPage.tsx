import { fillText } from '@settee/protocol/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/inviteAdminTexts';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { QrCode } from '../../staff/qr/QrCode.tsx';
import { StatePage } from '../../staff/StatePage.tsx';
import { Button } from '../../ui/Button.tsx';
import type { MadeInvite } from './batchRun.ts';
import { Printed } from './Printed.tsx';
import styles from './SheetPage.module.css';
import { pagesOf, SHEET_MAX, shortLink } from './sheet.ts';
import { useBatch } from './useBatch.ts';

/** The invites that were just made, as A4 pages of twelve codes to cut apart. */
export function SheetPage() {
  const navigate = useNavigate();
  const { state, run } = useBatch();
  const [asking, setAsking] = useState(false);
  const back = () => void navigate(-1);
  useEffect(() => {
    document.title = texts.sheetTitle;
  }, []);
  if (state.made.length === 0 || state.made.length > SHEET_MAX) {
    return (
      <StatePage title={texts.sheetTitle} note={texts.sheetEmpty}>
        <Button onClick={() => void navigate('/invites')}>{texts.backToList}</Button>
      </StatePage>
    );
  }
  function print(): void {
    globalThis.print();
    setAsking(true);
  }
  const pages = pagesOf(state.made);
  return (
    <main className={styles.desk}>
      {asking && (
        // Not every browser waits for its printer.
        <div className={styles.question}>
          <Printed onPrinted={run.markSaved} onClose={() => setAsking(false)} />
        </div>
      )}
      <header className={styles.bar}>
        <h1>{texts.sheetTitle}</h1>
        <p>
          {pages.length === 1
            ? texts.printPageNote
            : fillText(texts.printSheetNote, { pages: String(pages.length) })}
        </p>
        <Button look="outline" onClick={back}>
          {texts.back}
        </Button>
        <Button onClick={print}>{texts.print}</Button>
      </header>
      {pages.map((invites) => (
        <section key={invites[0]?.id} className={styles.paper}>
          {invites.map((invite) => (
            <Ticket key={invite.id} invite={invite} />
          ))}
        </section>
      ))}
    </main>
  );
}

function Ticket({ invite: { label, link } }: { invite: MadeInvite }) {
  return (
    <div className={styles.ticket}>
      <QrCode link={link} label={fillText(texts.qrOf, { label })} failed={texts.qrFailed} />
      <p className={styles.label}>
        <bdi>{label}</bdi>
      </p>
      <p className={styles.link}>{shortLink(link)}</p>
    </div>
  );
}
