import * as v from 'valibot';
import { Seq, Time, Uuid } from './ids.ts';
import { MessageText } from './message.ts';
import { Alias } from './staff.ts';

/**
 * An internal note about a conversation. It is not a message: it has a separate table, calls and frames, and visitors
 * have access to none of them.
 */
export const Note = v.object({
  id: Uuid,
  conversationId: Uuid,
  /** Shown after the message with this number; 0 means above the first. */
  afterSeq: Seq,
  /** The author's name, for colleagues. */
  author: v.string(),
  text: v.string(),
  createdAt: Time,
  /** A transfer from one desk to another; its text may be empty. */
  handover: v.optional(v.object({ from: Alias, to: Alias })),
});
export type Note = v.InferOutput<typeof Note>;

/** The same rules as for a message: 1 to 4,000 characters, trimmed. */
export const NoteText = MessageText;

/** Maximum notes shown per conversation, the newest. */
export const NOTES_MAX = 500;
