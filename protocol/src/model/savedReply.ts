import * as v from 'valibot';
import { Uuid } from './ids.ts';
import { MessageText } from './message.ts';

/** Typed behind a slash: letters, digits and dashes of any language, no spaces. */
export const SHORTCUT_MAX = 24;
export const Shortcut = v.pipe(
  v.string(),
  v.trim(),
  v.toLowerCase(),
  v.regex(/^[\p{L}\p{N}][\p{L}\p{N}-]*$/u, 'A shortcut has letters, digits and dashes only'),
  v.maxLength(SHORTCUT_MAX, `A shortcut has at most ${SHORTCUT_MAX} characters`),
);

export const SavedReply = v.object({
  id: Uuid,
  shortcut: v.string(),
  /** `{name}` stands for the visitor's name. */
  text: v.string(),
  /** Everyone on the staff may use it; else its owner alone. */
  shared: v.boolean(),
  /** The caller may change and delete it. */
  editable: v.boolean(),
});
export type SavedReply = v.InferOutput<typeof SavedReply>;

export const SavedReplyText = MessageText;

/** How many one person may keep. */
export const SAVED_REPLIES_MAX = 200;
