import { conversationAdminTexts as words } from '@settee/protocol/conversationAdminTexts';
import { fillText } from '@settee/protocol/fillText';
import type { TranscriptFormat } from '@settee/protocol/transcript';
import { useState } from 'react';
import { MenuButton } from '../../staff/menu/MenuButton.tsx';
import { useToasts } from '../../staff/toast/toasts.ts';
import { MenuItem } from '../../ui/MenuItem.tsx';
import { useAdmin } from '../context.ts';
import { downloadConversation } from './downloadConversation.ts';
import styles from './ThreadActions.module.css';

const FORMATS: readonly TranscriptFormat[] = ['html', 'csv', 'json'];

/** Takes a conversation along, in one of three forms. */
export function DownloadMenu({ id, messages }: { id: string; messages: number }) {
  const { session } = useAdmin();
  const toasts = useToasts();
  const [done, setDone] = useState<number | null>(null);

  async function download(format: TranscriptFormat): Promise<void> {
    setDone(0);
    const count = await downloadConversation(session.api, id, format, setDone);
    setDone(null);
    toasts.show({ text: downloadedWords(count) });
  }

  return (
    <>
      <MenuButton
        label={words.download}
        className={styles.download}
        disabled={done !== null}
        face={words.download}
      >
        {(choose) =>
          FORMATS.map((format) => (
            <MenuItem key={format} onClick={() => choose(() => void download(format))}>
              {words.downloadAs[format]}
            </MenuItem>
          ))
        }
      </MenuButton>
      <span role="status" className={styles.progress}>
        {done !== null &&
          fillText(words.downloading, {
            done: done.toLocaleString('en'),
            total: Math.max(messages, done).toLocaleString('en'),
          })}
      </span>
    </>
  );
}

function downloadedWords(count: number | undefined): string {
  if (count === undefined) return words.downloadFailed;
  if (count === 1) return words.downloadedOne;
  return fillText(words.downloaded, { count: count.toLocaleString('en') });
}
