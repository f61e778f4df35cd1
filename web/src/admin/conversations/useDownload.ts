import type { Answer } from '@settee/protocol/calls/http';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import {
  TRANSCRIPT_TYPES,
  type TranscriptFormat,
  transcriptName,
  transcriptWriter,
} from '@settee/protocol/render/transcript';
import type { TranscriptHead } from '@settee/protocol/render/transcriptTypes';
import { conversationAdminTexts as texts } from '@settee/protocol/texts/conversationAdminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { transcriptWords } from '../../browser/transcriptWords.ts';
import type { Api, Result } from '../../net/api.ts';
import { useChange } from '../../staff/useChange.ts';
import { saveFile } from '../../ui/saveFile.ts';
import { useAdmin } from '../context.ts';

/** Downloads a conversation. `done` counts the messages so far, and is null when idle. */
export function useDownload(id: string) {
  const { session } = useAdmin();
  const { run } = useChange('toast');
  const [done, setDone] = useState<number | null>(null);

  async function read(format: TranscriptFormat) {
    setDone(0);
    const count = await downloadConversation(session.api, id, format, setDone);
    setDone(null);
    return count === undefined ? texts.downloadFailed : { ok: true as const, answer: count };
  }

  const download = (format: TranscriptFormat) =>
    run(() => read(format), { say: (count) => fillText(texts.downloaded, { count }) });
  return { done, download };
}

/**
 * Reads all pages and saves them as a file. Returns the number of messages, or undefined on failure. The
 * browser stays responsive between pages.
 */
async function downloadConversation(
  api: Api<'exportConversation'>,
  id: string,
  format: TranscriptFormat,
  onProgress: (messages: number) => void,
): Promise<number | undefined> {
  const pieces: string[] = [];
  let writer: ReturnType<typeof transcriptWriter> | undefined;
  let name = '';
  let count = 0;
  for (let after: number | null = 0; after !== null; ) {
    const page: Result<'exportConversation'> = await api('exportConversation', {
      params: { id },
      query: { after: String(after) },
    });
    if (!page.ok) return undefined;
    const { conversation, messages, next }: Answer<'exportConversation'> = page.answer;
    if (writer === undefined) {
      const head = headOf(conversation);
      writer = transcriptWriter(format, head, transcriptWords());
      name = transcriptName(format, head);
      pieces.push(writer.begin());
    }
    pieces.push(writer.page(messages));
    count += messages.length;
    onProgress(count);
    after = next;
  }
  if (writer === undefined) return undefined;
  pieces.push(writer.end());
  saveFile(name, new Blob(pieces), TRANSCRIPT_TYPES[format]);
  return count;
}

function headOf(conversation: Answer<'exportConversation'>['conversation']): TranscriptHead {
  const { id, profileName, startedAt, exportedAt, handlerAlias, inviteLabel, status } = conversation;
  return {
    conversationId: id,
    visitorName: visitorNameOrLabel(conversation),
    profileName,
    startedAt,
    exportedAt,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    staff: { handlerAlias, inviteLabel, status },
  };
}
