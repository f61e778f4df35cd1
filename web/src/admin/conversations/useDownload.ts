import type { TranscriptFormat } from '@settee/protocol/render/transcript';
import { conversationAdminTexts as words } from '@settee/protocol/texts/conversationAdminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { useToasts } from '../../staff/toast/toasts.ts';
import { useAdmin } from '../context.ts';
import { downloadConversation } from './downloadConversation.ts';

/** Downloads a conversation in one of three formats. `done` counts its messages while that goes on, else it is null. */
export function useDownload(id: string): {
  done: number | null;
  download: (format: TranscriptFormat) => Promise<void>;
} {
  const { session } = useAdmin();
  const toasts = useToasts();
  const [done, setDone] = useState<number | null>(null);

  async function download(format: TranscriptFormat): Promise<void> {
    setDone(0);
    const count = await downloadConversation(session.api, id, format, setDone);
    setDone(null);
    toasts.show({ text: downloadedWords(count) });
  }
  return { done, download };
}

function downloadedWords(count: number | undefined): string {
  if (count === undefined) return words.downloadFailed;
  if (count === 1) return words.downloadedOne;
  return fillText(words.downloaded, { count: count.toLocaleString('en') });
}
