import * as v from 'valibot';
import { Seq, Time, Uuid } from './ids.ts';
import { MessageMedia } from './messageMedia.ts';

export const MESSAGE_TEXT_MAX = 4_000;

/** How many messages one page of history, one resume or one gap-fill brings at most. */
export const MESSAGE_PAGE = 50;

/** What a queue row says of a message that carries media in the place of text. */
export const MEDIA_PREVIEW = '[Media]';

// Controls but tab and newline, and the marks that reorder what a reader sees: they can make a text
// read differently from what was typed. Joiners and isolates stay; languages and emoji need them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const HOSTILE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\uFEFF]/gu;

/** The text as it will be stored: what the sender's own bubble shows must equal it. */
export function cleanMessageText(raw: string): string {
  return raw.replace(/\r\n?/g, '\n').replace(HOSTILE, '').toWellFormed().trim();
}

export const MessageText = v.pipe(
  v.string(),
  v.maxLength(MESSAGE_TEXT_MAX * 2),
  v.transform(cleanMessageText),
  v.minLength(1),
  v.maxLength(MESSAGE_TEXT_MAX),
);

/** Who a message speaks for. A handler's message is the owner's: nobody outside learns who typed it. */
export const Sender = v.picklist(['visitor', 'owner']);
export type Sender = v.InferOutput<typeof Sender>;

export const Message = v.object({
  conversationId: Uuid,
  seq: Seq,
  /** Minted by the sender's browser; unique with the conversation, which makes every retry safe. */
  id: Uuid,
  sender: Sender,
  text: v.string(),
  createdAt: Time,
  ...v.partial(MessageMedia).entries,
});
export type Message = v.InferOutput<typeof Message>;
