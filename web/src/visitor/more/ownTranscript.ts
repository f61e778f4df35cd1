import type { Answer } from '@settee/protocol/calls/http';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import {
  TRANSCRIPT_TYPES,
  type TranscriptFormat,
  transcriptName,
  transcriptWriter,
} from '@settee/protocol/render/transcript';
import type { TranscriptMessage } from '@settee/protocol/render/transcriptTypes';
import { transcriptWords } from '../../browser/transcriptWords.ts';
import type { VisitorApi } from '../connection.ts';

type Page = Answer<'exportOwn'>;

export type TranscriptFile = { name: string; content: Blob; type: string };

/** Loads the visitor's conversation page by page and returns it as a file. Undefined if a call fails. */
export async function ownTranscript(
  api: VisitorApi,
  format: Extract<TranscriptFormat, 'html' | 'json'>,
  of: { conversationId: string; profileName: string; now: number },
): Promise<TranscriptFile | undefined> {
  const pages: Page[] = [];
  for (let next: number | null = 0; next !== null; next = pages.at(-1)?.next ?? null) {
    const read = await api('exportOwn', {
      params: { id: of.conversationId },
      query: { after: String(next) },
    });
    if (!read.ok) return undefined;
    pages.push(read.answer);
  }
  const first = pages[0];
  if (!first) return undefined;
  const { conversation } = first;
  const head = {
    conversationId: conversation.id,
    visitorName: visitorNameOrLabel(conversation),
    profileName: of.profileName,
    startedAt: conversation.createdAt,
    exportedAt: of.now,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
  const writer = transcriptWriter(format, head, transcriptWords());
  const content = new Blob([
    writer.begin(),
    ...pages.map(({ messages }) => writer.page(messages.map(transcriptMessage))),
    writer.end(),
  ]);
  return { name: transcriptName(format, head), content, type: TRANSCRIPT_TYPES[format] };
}

function transcriptMessage(message: Page['messages'][number]): TranscriptMessage {
  const { seq, id, sender, text, createdAt, fileName, mediaType, size, width, height } = message;
  const image =
    fileName === undefined
      ? undefined
      : { fileName, mediaType: mediaType ?? '', size: size ?? 0, width: width ?? 0, height: height ?? 0 };
  return { seq, id, sender, text, createdAt, image };
}
