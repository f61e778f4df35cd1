import type { Topic } from '@settee/protocol/management';
import type { Message } from '@settee/protocol/message';
import type { Note } from '@settee/protocol/note';

/**
 * What actions tell the rest of the world after the commit, and never before. Losing an announcement
 * delays a screen until the sweep finds the change; it loses nothing.
 */
export interface Announce {
  messageStored(stored: StoredMessage): void;
  /** Name, status, seen marks, alias: anything about the conversation but a message. */
  conversationChanged(conversation: { id: string; handlerAlias: string }): void;
  /** Something in the desk's queue that only the desk may know of. */
  queueRowChanged(conversation: { id: string; handlerAlias: string }): void;
  /** For the consoles at this desk alone: nothing of a note may reach a visitor. */
  noteAdded(added: { note: Note; handlerAlias: string }): void;
  /** The conversation left one desk for another, with a note. */
  handedOver(moved: { id: string; from: string; to: string; note: Note }): void;
  /**
   * Someone's right to be connected or to watch may have ended, or whether they are there for visitors. All that leads
   * here is in the audit log, as what changes the brand is.
   */
  accessChanged(): void;
  presenceChanged(): void;
  brandChanged(): void;
  /** Something that only administrators' pages show: also 'audit', if there is a new line in the log. */
  managementChanged(...topics: Topic[]): void;
}

export type StoredMessage = {
  message: Message;
  handlerAlias: string;
  /** The conversation's unread count and revision after this message. */
  unread: number;
  rev: number;
};
