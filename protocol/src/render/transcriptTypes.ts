import type { ExportedMessage } from '../calls/conversationAdminCalls.ts';
import type { Language } from '../texts/languages.ts';
import type { transcriptTexts } from '../texts/transcriptTexts.ts';

/** A message of a transcript. It has `writtenBy` only if the conversation has `staff`. */
export type TranscriptMessage = ExportedMessage;

/** A conversation to download. */
export type TranscriptHead = {
  conversationId: string;
  /** The visitor's name, or the label of a visitor without a name. */
  visitorName: string;
  profileName: string;
  startedAt: number;
  exportedAt: number;
  /** For the times of the readable page. The other formats use UTC. */
  timeZone: string;
  /** Only for administrators. Absent in a visitor's own download, which does not name the authors. */
  staff?: { handlerAlias: string; inviteLabel: string; status: string } | undefined;
};

/** A language and its texts. */
export type TranscriptWords = { language: Language; texts: Record<keyof typeof transcriptTexts, string> };

/** A transcript in parts, one page of messages at a time, so that a long one never has to be in memory as a whole. */
export type TranscriptWriter = {
  begin(): string;
  page(messages: readonly TranscriptMessage[]): string;
  end(): string;
};
