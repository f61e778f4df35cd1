import * as v from 'valibot';
import { Seq, Time, Uuid } from './ids.ts';
import { MessageText } from './message.ts';
import { Alias } from './staff.ts';

/**
 * An internal note of a conversation. It is no message: it has a table, calls and frames of its own, none of which a
 * visitor can reach.
 */
export const Note = v.object({
  id: Uuid,
  conversationId: Uuid,
  /** Shown after the message with this number; 0 means above the first. */
  afterSeq: Seq,
  /** Name of who wrote it, for colleagues. */
  author: v.string(),
  text: v.string(),
  createdAt: Time,
  /** A hand-over from one desk to another; its text may be empty. */
  handover: v.optional(v.object({ from: Alias, to: Alias })),
});
export type Note = v.InferOutput<typeof Note>;

/** The same rules as a message's: 1 to 4,000 characters, trimmed. */
export const NoteText = MessageText;

/** Notes of one conversation that are shown at most, the newest. */
export const NOTES_MAX = 500;
