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
  /** The member of staff who wrote it. Told only where the conversation has `staff`. */
  writtenBy?: string | undefined;
};

/** A conversation as somebody takes it along. */
export type TranscriptHead = {
  conversationId: string;
  /** What the visitor is called, also where no name was given. */
  visitorName: string;
  profileName: string;
  startedAt: number;
  exportedAt: number;
  /** In which the readable one tells times; the others tell them in UTC. */
  timeZone: string;
  /** For administrators alone. A visitor's own download has none of it, and then no message tells who wrote it. */
  staff?: { handlerAlias: string; inviteLabel: string; status: string } | undefined;
};

/** A transcript in pieces: a page of messages at a time, so that a very long one never has to be in hand as a whole. */
export type TranscriptWriter = {
  begin(): string;
  page(messages: readonly TranscriptMessage[]): string;
  end(): string;
};
