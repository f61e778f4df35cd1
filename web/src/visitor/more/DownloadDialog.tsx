import { rightsTexts } from '@settee/protocol/texts/rightsTexts';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import type { VisitorApi } from '../connection.ts';
import { ownTranscript } from './ownTranscript.ts';
import styles from './VisitorDialog.module.css';
import { VisitorDialog } from './VisitorDialog.tsx';

type DownloadDialogProps = {
  api: VisitorApi;
  conversationId: string;
  profileName: string;
  onClose: () => void;
};

/** Stays open after a download, so that the visitor can download both formats. */
export function DownloadDialog({ api, conversationId, profileName, onClose }: DownloadDialogProps) {
  const [busy, setBusy] = useState<'html' | 'json' | null>(null);
  const [failed, setFailed] = useState(false);

  async function download(format: 'html' | 'json'): Promise<void> {
    if (busy) return;
    setBusy(format);
    setFailed(false);
    const file = await ownTranscript(api, format, { conversationId, profileName, now: Date.now() });
    setBusy(null);
    setFailed(!file);
    if (file) saveFile(file.name, file.content, file.type);
  }

  const formats = [
    ['html', rightsTexts.downloadPage],
    ['json', rightsTexts.downloadData],
  ] as const;
  return (
    <VisitorDialog title={rightsTexts.download} note={rightsTexts.downloadNote} onClose={onClose}>
      <FieldError text={failed ? rightsTexts.downloadFailed : null} />
      {formats.map(([format, words]) => (
        <Button
          key={format}
          look={format === 'html' ? 'primary' : 'outline'}
          className={styles.choice}
          aria-disabled={busy !== null}
          onClick={() => void download(format)}
        >
          {busy === format ? rightsTexts.downloading : words}
        </Button>
      ))}
    </VisitorDialog>
  );
}
