import type { Sender } from '../model/message.ts';

export type TranscriptImage = {
  fileName: string;
  mediaType: string;
  /** Bytes. */
  size: number;
  width: number;
  height: number;
};

export type TranscriptMessage = {
  seq: number;
  id: string;
  sender: Sender;
  text: string;
  createdAt: number;
  image?: TranscriptImage | undefined;
  /** The staff member who wrote it. Only if the conversation has `staff`. */
  writtenBy?: string | undefined;
};

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

/** A transcript in parts, one page of messages at a time, so that a long one never has to be in memory as a whole. */
export type TranscriptWriter = {
  begin(): string;
  page(messages: readonly TranscriptMessage[]): string;
  end(): string;
};
