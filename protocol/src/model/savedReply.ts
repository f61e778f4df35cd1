import * as v from 'valibot';
import { consoleTexts } from '../texts/consoleTexts.ts';
import { Uuid } from './ids.ts';
import { MessageText } from './message.ts';
import { Slug } from './profile.ts';

/** Typed after a slash: letters, digits and dashes of any language, no spaces. */
export const SHORTCUT_MAX = 24;
export const Shortcut = v.pipe(
  v.string(),
  v.trim(),
  v.toLowerCase(),
  v.regex(/^[\p{L}\p{N}][\p{L}\p{N}-]*$/u, consoleTexts.shortcutWrong),
  v.maxLength(SHORTCUT_MAX, consoleTexts.shortcutTooLong),
);

export const SavedReply = v.object({
  id: Uuid,
  shortcut: v.string(),
  /** `{name}` is replaced with the visitor's name. */
  text: v.string(),
  /** All staff may use it; otherwise only its owner. */
  shared: v.boolean(),
  /** Only for chats of this profile; without one, for all. */
  profile: v.optional(v.nullable(Slug)),
  /** Whether the caller may change and delete it. */
  editable: v.boolean(),
});
export type SavedReply = v.InferOutput<typeof SavedReply>;

export const SavedReplyText = MessageText;

/** Maximum per person. */
export const SAVED_REPLIES_MAX = 200;
