import type { InviteDraft } from '@settee/protocol/model/managedInvite';
import { csvHead, csvLine } from '@settee/protocol/render/csv';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { useEffect, useRef, useState } from 'react';
import { useCopy } from '../../browser/useCopy.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import { useNavigate } from '../parts/links.tsx';
import { useDocumentTitle } from '../parts/Page.tsx';
import { type ProfileOf, useProfileOf } from '../useDesks.tsx';
import type { BatchState, CreatedInvite } from './batchRun.ts';
import { CreateAnotherButton } from './CreatedLink.tsx';
import styles from './CreatedLinks.module.css';
import forms from './forms.module.css';
import { SHEET_MAX } from './SheetPage.tsx';

type CreatedLinksProps = {
  state: BatchState;
  onSaved: () => void;
  onContinue: () => void;
  onAgain: () => void;
};

/** All links of a batch. They are shown only once. */
export function CreatedLinks({ state, onSaved, onContinue, onAgain }: CreatedLinksProps) {
  const { made, total, failure, stopping, saved, remaining, unsure } = state;
  const navigate = useNavigate();
  const profileOf = useProfileOf();
  const { copied, copy } = useCopy();
  const [problem, setProblem] = useState<string | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const heading = fillText(made.length === total ? texts.made : texts.madeSome, {
    count: made.length,
    total,
  });
  useDocumentTitle(heading);

  async function copyAll(): Promise<void> {
    const done = await copy(made.map(({ link }) => link).join('\n'));
    setProblem(done ? null : texts.copyFailed);
    if (done) onSaved();
  }
  function download(): void {
    saveFile(texts.csvName, linksCsv(made, profileOf), 'text/csv');
    onSaved();
  }

  return (
    <>
      <div className={styles.notice}>
        {failure !== null && (
          <Notice tone="danger" icon={null}>
            {fillText(texts.failedNote, { reason: failure })}
          </Notice>
        )}
        {failure === null && stopping && made.length < total && (
          <Notice tone="lamp">{texts.stoppedNote}</Notice>
        )}
      </div>
      <h2 ref={title} className={forms.title} tabIndex={-1}>
        {heading}
      </h2>
      {remaining.length > 0 && (
        <RemainingInvites remaining={remaining} unsure={unsure} onContinue={onContinue} />
      )}
      {made.length > 0 && (
        <>
          <p className={styles.once}>{texts.linksShownOnce}</p>
          <p className="ink-3">{texts.unsavedLinks}</p>
          <div className={`${styles.buttons} medium`}>
            <Button onClick={() => void copyAll()}>{copied ? adminTexts.copied : texts.copyAll}</Button>
            <Button look="outline" onClick={download}>
              {adminTexts.downloadCsv}
            </Button>
            {made.length <= SHEET_MAX && (
              <Button look="outline" onClick={() => void navigate('/invites/sheet')}>
                {texts.printSheet}
              </Button>
            )}
          </div>
          <FieldError text={problem} />
          <Links made={made} />
        </>
      )}
      <div className={`${styles.buttons} medium`}>
        <CreateAnotherButton
          title={texts.dropLinksTitle}
          unsaved={made.length > 0 && !saved}
          onAnother={onAgain}
        />
      </div>
    </>
  );
}

/** Shows a limited number; the file contains all. Scrolls by keyboard too. */
function Links({ made }: Pick<BatchState, 'made'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={styles.list} aria-label={texts.links} tabIndex={0}>
      <ol className="lined">
        {made.slice(0, SHEET_MAX).map(({ id, label, link }) => (
          <li key={id}>
            <bdi>{label}</bdi>
            <span>{link}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

type RemainingInvitesProps = Pick<BatchState, 'remaining' | 'unsure'> & { onContinue: () => void };

/** Invites that a stopped batch did not create: continue, or download them. */
function RemainingInvites({ remaining, unsure, onContinue }: RemainingInvitesProps) {
  const count = remaining.length;
  return (
    <>
      {unsure && <p className="ink-3">{texts.remainingUnsure}</p>}
      <div className={`${styles.buttons} medium`}>
        <Button onClick={onContinue}>{fillText(texts.continueRemaining, { count })}</Button>
        <Button
          look="outline"
          onClick={() => saveFile(texts.remainingCsvName, remainingCsv(remaining), 'text/csv')}
        >
          {fillText(texts.downloadRemaining, { count })}
        </Button>
      </div>
    </>
  );
}

const columns = texts.csvColumns;

/** Label, link and expiry, for a mail merge. And whom visitors see, if there are several profiles. */
function linksCsv(invites: readonly CreatedInvite[], profileOf: ProfileOf): string {
  const several = invites.some(({ alias }) => profileOf(alias));
  const head = csvHead([columns.label, columns.link, columns.expires, ...(several ? [columns.profile] : [])]);
  const lines = invites.map(({ label, link, expiresAt, alias }) => {
    const profile = several ? [profileOf(alias)?.displayName ?? ''] : [];
    return csvLine([label, link, new Date(expiresAt).toISOString(), ...profile]);
  });
  return head + lines.join('');
}

/** In the import format, so that the rest can be imported later. */
function remainingCsv(drafts: readonly InviteDraft[]): string {
  const head = csvHead([columns.label, columns.desk, columns.days]);
  return head + drafts.map(({ label, alias, days }) => csvLine([label, alias, days])).join('');
}
