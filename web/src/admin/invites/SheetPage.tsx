import { initials } from '@settee/protocol/model/initials';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import {
  directionOf,
  type Language,
  languageNames,
  visitorLanguages,
} from '@settee/protocol/texts/languages';
import { cardTextsByLanguage } from '@settee/protocol/translations/cardTextsByLanguage';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { QrCode } from '../../staff/qr/QrCode.tsx';
import { StatePage } from '../../staff/StatePage.tsx';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { SealShape } from '../../ui/Seal.tsx';
import { SetteeDrawing } from '../../ui/SetteeDrawing.tsx';
import { useLiveAdmin } from '../context.ts';
import { chunksOf } from '../inChunks.ts';
import { useDocumentTitle } from '../parts/Page.tsx';
import { Select } from '../parts/Select.tsx';
import { useProfileOf } from '../useDesks.tsx';
import type { CreatedInvite } from './batchRun.ts';
import styles from './SheetPage.module.css';
import { useBatch } from './useBatch.ts';

/** The created invites as A4 pages with eight cards. */
export function SheetPage() {
  const navigate = useNavigate();
  const { state, run } = useBatch();
  const [asking, setAsking] = useState(false);
  const [language, setLanguage] = useState(() => document.documentElement.lang as Language);
  const back = () => void navigate(-1);
  useDocumentTitle(texts.sheetTitle);
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
  const pages = chunksOf(state.made, CARDS_PER_PAGE);
  return (
    <main className={styles.desk}>
      {asking && (
        // Some browsers return from print() at once.
        <div className={styles.question}>
          {/* Browsers do not report whether the page was printed. */}
          <FormDialog
            title={texts.printedTitle}
            note={texts.printedNote}
            action={texts.printed}
            cancel={texts.notPrinted}
            onSubmit={() => undefined}
            onDone={run.markSaved}
            onClose={() => setAsking(false)}
          />
        </div>
      )}
      <header className={`${styles.bar} medium`}>
        <h1>{texts.sheetTitle}</h1>
        <p>{fillText(texts.printSheetNote, { pages: pages.length })}</p>
        <Select
          label={texts.cardLanguage}
          value={language}
          options={visitorLanguages.map((value) => ({ value, text: languageNames[value] }))}
          onChange={setLanguage}
        />
        <Button look="outline" onClick={back}>
          {texts.back}
        </Button>
        <Button onClick={print}>{texts.print}</Button>
      </header>
      {pages.map((invites, page) => (
        <section key={invites[0]?.id} className={styles.paper}>
          <div className={styles.grid}>
            {invites.map((invite) => (
              <Card key={invite.id} invite={invite} language={language} />
            ))}
          </div>
          <CutMarks />
          <footer className={styles.foot}>
            <span>
              {fillText(texts.cardsOf, {
                from: page * CARDS_PER_PAGE + 1,
                to: page * CARDS_PER_PAGE + invites.length,
                total: state.made.length,
              })}
            </span>
            <span>{texts.cutNote}</span>
          </footer>
        </section>
      ))}
    </main>
  );
}

/** The visitor's card. The label is for staff and stays in the margin. */
function Card({ invite: { label, link, alias }, language }: { invite: CreatedInvite; language: Language }) {
  const live = useLiveAdmin();
  const brand = useProfileOf()(alias) ?? live.brand;
  const { call, note, noteMore } = cardTextsByLanguage[language];
  return (
    <div className={styles.card} lang={language} dir={directionOf(language)}>
      <div className={styles.words}>
        <p className={styles.who}>
          <Avatar letters={initials(brand.displayName)} url={brand.avatarUrl} size={44} />
          <b>
            <bdi className="cut">{brand.displayName}</bdi>
            {brand.verified && <SealShape size={16} />}
          </b>
        </p>
        <p className={styles.call}>{call}</p>
        <p className={styles.note}>
          {note}
          <br />
          {noteMore}
        </p>
        <div className={styles.drawing}>
          <SetteeDrawing seats="one" width={84} />
        </div>
      </div>
      <QrCode link={link} label={fillText(texts.qrOf, { label })} failed={texts.qrFailed} />
      <span className={styles.label}>
        <bdi>{label}</bdi>
      </span>
    </div>
  );
}

/** Cut marks in millimetres: 5 mm long, 2 mm from the corners, and crosses between cards. */
const COLUMNS = [15, 105, 195];
const ROWS = [22.5, 85.5, 148.5, 211.5, 274.5];
const MARKS = [
  ...ROWS.flatMap((y) => [`M8 ${y}h5`, `M197 ${y}h5`]),
  ...COLUMNS.flatMap((x) => [`M${x} 15.5v5`, `M${x} 276.5v5`]),
].join('');
const CROSSES = ROWS.slice(1, -1)
  .map((y) => `M103.5 ${y}h3M105 ${y - 1.5}v3`)
  .join('');

function CutMarks() {
  return (
    <svg className={styles.marks} viewBox="0 0 210 297" aria-hidden="true">
      <path d={MARKS} />
      <path d={CROSSES} />
    </svg>
  );
}

/** Two columns of four. */
const CARDS_PER_PAGE = 8;

/** Larger batches need printing software, which reads the CSV file. */
export const SHEET_MAX = 500;
