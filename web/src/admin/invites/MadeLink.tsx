import { adminTexts } from '@settee/protocol/adminTexts';
import { fillText } from '@settee/protocol/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/inviteAdminTexts';
import { type ReactNode, useId } from 'react';
import { dayLabel } from '../../chat/times.ts';
import { useCopy } from '../../chat/useCopy.ts';
import { Button } from '../../ui/Button.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import type { MadeInvite } from './batchRun.ts';
import { fileNameOf } from './fileNameOf.ts';
import { loadQr } from './loadQr.ts';
import styles from './MadeLink.module.css';
import { QrCode } from './QrCode.tsx';

type MadeLinkProps = {
  invite: MadeInvite;
  /** Somebody is in the chat already: the date no longer counts. */
  lasting?: boolean;
  children?: ReactNode;
};

/** A link that was just made: to be copied, scanned or kept. */
export function MadeLink({ invite, lasting = false, children }: MadeLinkProps) {
  const { link, label, alias, expiresAt } = invite;
  const { copied, copy } = useCopy();
  const fieldId = useId();

  async function download(kind: 'svg' | 'png'): Promise<void> {
    const { qrSvg, qrPng } = await loadQr();
    if (kind === 'svg') saveFile(`${fileNameOf(label)}.svg`, qrSvg(link), 'image/svg+xml');
    else saveFile(`${fileNameOf(label)}.png`, await qrPng(link), 'image/png');
  }

  return (
    <div className={styles.made}>
      <div className={styles.code}>
        <QrCode link={link} label={fillText(texts.qrOf, { label })} />
      </div>
      <div className={styles.words}>
        <label htmlFor={fieldId}>{texts.linkOf}</label>
        <div className={styles.link}>
          <input id={fieldId} readOnly value={link} onFocus={(event) => event.target.select()} />
          <Button onClick={() => void copy(link)}>{copied ? adminTexts.copied : adminTexts.copyLink}</Button>
        </div>
        <p className={styles.once}>{texts.linkShownOnce}</p>
        {!lasting && (
          <p className={styles.note}>
            {fillText(texts.validUntil, { alias, date: dayLabel(expiresAt, Date.now()) })}
          </p>
        )}
        <div className={styles.buttons}>
          <Button look="outline" onClick={() => void download('svg')}>
            {texts.downloadSvg}
          </Button>
          <Button look="outline" onClick={() => void download('png')}>
            {texts.downloadPng}
          </Button>
          {children}
        </div>
      </div>
    </div>
  );
}
