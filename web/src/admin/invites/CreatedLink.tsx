import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { type ReactNode, useId, useState } from 'react';
import { dayLabel } from '../../browser/times.ts';
import { useCopy } from '../../browser/useCopy.ts';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { loadQr, QrCode } from '../../staff/qr/QrCode.tsx';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import { DeskProfile } from '../profiles/DeskProfile.tsx';
import { useDeskNames } from '../useDesks.tsx';
import type { CreatedInvite } from './batchRun.ts';
import styles from './CreatedLink.module.css';

type CreatedLinkProps = {
  invite: CreatedInvite;
  /** A visitor has already joined, so the expiry no longer applies. */
  lasting?: boolean;
  /** Called after the link was copied or saved. */
  onSaved?: () => void;
  children?: ReactNode;
};

/** A new link: to copy, scan or save. */
export function CreatedLink({ invite, lasting = false, onSaved, children }: CreatedLinkProps) {
  const { link, label, alias, expiresAt } = invite;
  const names = useDeskNames();
  const { copied, copy } = useCopy();
  const [problem, setProblem] = useState<string | null>(null);
  const fieldId = useId();

  async function download(kind: 'svg' | 'png'): Promise<void> {
    const { qrSvg, qrPng } = await loadQr();
    if (kind === 'svg') saveFile(`${fileNameOf(label)}.svg`, qrSvg(link), 'image/svg+xml');
    else saveFile(`${fileNameOf(label)}.png`, await qrPng(link), 'image/png');
  }

  async function keep(kind: 'copy' | 'svg' | 'png'): Promise<void> {
    const failed = kind === 'copy' ? texts.copyFailed : texts.qrFailed;
    const kept = await (kind === 'copy'
      ? copy(link)
      : download(kind).then(
          () => true,
          () => false,
        ));
    setProblem(kept ? null : failed);
    if (kept) onSaved?.();
  }

  return (
    <div className={styles.made}>
      <div className={styles.code}>
        <QrCode link={link} label={fillText(texts.qrOf, { label })} failed={texts.qrFailed} />
      </div>
      <div className={styles.words}>
        <label htmlFor={fieldId}>{texts.linkOf}</label>
        <div className={`${styles.link} medium`}>
          <input id={fieldId} dir="ltr" readOnly value={link} onFocus={(event) => event.target.select()} />
          <Button onClick={() => void keep('copy')}>
            {copied ? adminTexts.copied : adminTexts.copyLink}
          </Button>
        </div>
        <FieldError text={problem} />
        <p className={styles.once}>{texts.linkShownOnce}</p>
        {!lasting && (
          <p className="ink-3">
            {fillText(texts.validUntil, {
              alias: names[alias] ?? alias,
              date: dayLabel(expiresAt, Date.now()),
            })}
          </p>
        )}
        <DeskProfile alias={alias} />
        <div className={styles.buttons}>
          <Button look="outline" onClick={() => void keep('svg')}>
            {texts.downloadSvg}
          </Button>
          <Button look="outline" onClick={() => void keep('png')}>
            {texts.downloadPng}
          </Button>
          {children}
        </div>
      </div>
    </div>
  );
}

const NAME_MAX = 60;

/** A label as a file name for any system. */
function fileNameOf(label: string): string {
  const name = label
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, NAME_MAX);
  return name === '' ? 'invite' : name;
}

type CreateAnotherButtonProps = {
  /** Title of the confirmation, if the link was not saved yet. */
  title: string;
  unsaved: boolean;
  onAnother: () => void;
};

export function CreateAnotherButton({ title, unsaved, onAnother }: CreateAnotherButtonProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button look="outline" onClick={() => (unsaved ? setAsking(true) : onAnother())}>
        {texts.another}
      </Button>
      {asking && (
        <FormDialog
          title={title}
          note={texts.dropNote}
          action={adminTexts.leave}
          danger
          onSubmit={() => undefined}
          onDone={onAnother}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
