import * as v from 'valibot';
import { Uuid } from './ids.ts';
import { MessageText } from './message.ts';

/** Typed after a slash: letters, digits and dashes of any language, no spaces. */
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
  /** `{name}` is replaced with the visitor's name. */
  text: v.string(),
  /** All staff may use it; otherwise only its owner. */
  shared: v.boolean(),
  /** Whether the caller may change and delete it. */
  editable: v.boolean(),
});
export type SavedReply = v.InferOutput<typeof SavedReply>;

export const SavedReplyText = MessageText;

/** Maximum per person. */
export const SAVED_REPLIES_MAX = 200;
