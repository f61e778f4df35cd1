import { csvHead, csvLine } from './csv.ts';
import { htmlTranscript } from './transcriptHtml.ts';
import type {
  TranscriptHead,
  TranscriptMessage,
  TranscriptWords,
  TranscriptWriter,
} from './transcriptTypes.ts';

export type TranscriptFormat = 'json' | 'csv' | 'html';

export const TRANSCRIPT_TYPES: Record<TranscriptFormat, string> = {
  json: 'application/json',
  csv: 'text/csv;charset=utf-8',
  html: 'text/html;charset=utf-8',
};

/** The words are for the readable page. The other formats are for programs. */
export function transcriptWriter(
  format: TranscriptFormat,
  head: TranscriptHead,
  words: TranscriptWords,
): TranscriptWriter {
  if (format === 'html') return htmlTranscript(head, words);
  return format === 'csv' ? csvTranscript(head) : jsonTranscript(head);
}

/** The date of the download, and enough of the conversation's id to identify it. */
export function transcriptName(format: TranscriptFormat, head: TranscriptHead): string {
  const day = new Date(head.exportedAt).toISOString().slice(0, 10);
  return `conversation-${head.conversationId.slice(0, 8)}-${day}.${format}`;
}

function jsonTranscript({ staff, ...head }: TranscriptHead): TranscriptWriter {
  let some = false;
  return {
    begin: () =>
      `${JSON.stringify({
        conversationId: head.conversationId,
        visitorName: head.visitorName,
        profileName: head.profileName,
        startedAt: iso(head.startedAt),
        exportedAt: iso(head.exportedAt),
        ...staff,
      }).slice(0, -1)},"messages":[`,
    page(messages) {
      const lines = messages.map(
        (message) => `\n${JSON.stringify(jsonMessage(message, staff !== undefined))}`,
      );
      const before = some && lines.length > 0 ? ',' : '';
      some ||= lines.length > 0;
      return before + lines.join(',');
    },
    end: () => '\n]}\n',
  };
}

function jsonMessage(message: TranscriptMessage, toldWho: boolean): object {
  const { seq, id, sender, text, createdAt, image, writtenBy } = message;
  return {
    seq,
    id,
    sender,
    ...(toldWho && { writtenBy: writtenBy ?? null }),
    createdAt: iso(createdAt),
    text,
    ...(image && { image }),
  };
}

const CSV_COLUMNS = ['number', 'time', 'from', 'name', 'text', 'image', 'image type', 'image bytes'];
const CSV_STAFF_COLUMNS = ['written by', 'handler alias', 'invite', 'status'];

function csvTranscript({ staff, visitorName, profileName }: TranscriptHead): TranscriptWriter {
  return {
    begin: () => csvHead([...CSV_COLUMNS, ...(staff ? CSV_STAFF_COLUMNS : [])]),
    page: (messages) =>
      messages
        .map(({ seq, createdAt, sender, text, image, writtenBy }) =>
          csvLine([
            seq,
            iso(createdAt),
            sender,
            sender === 'visitor' ? visitorName : profileName,
            text,
            image?.fileName ?? null,
            image?.mediaType ?? null,
            image?.size ?? null,
            ...(staff ? [writtenBy ?? null, staff.handlerAlias, staff.inviteLabel, staff.status] : []),
          ]),
        )
        .join(''),
    end: () => '',
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
