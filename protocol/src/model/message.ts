import * as v from 'valibot';
import { cleanMessageText } from './cleanText.ts';
import { Seq, Time, Uuid } from './ids.ts';
import { MessageMedia } from './messageMedia.ts';

export const MESSAGE_TEXT_MAX = 4_000;

/** Maximum messages per page of history, per resume and per gap-fill. */
export const MESSAGE_PAGE = 50;

/** The text in a queue row for a message with an image. */
export const MEDIA_PREVIEW = '[Media]';

export const MessageText = v.pipe(
  v.string(),
  v.maxLength(MESSAGE_TEXT_MAX * 2),
  v.transform(cleanMessageText),
  v.minLength(1),
  v.maxLength(MESSAGE_TEXT_MAX),
);

/** The side that sent a message. A handler's message is from `owner`: visitors do not learn who wrote it. */
export const Sender = v.picklist(['visitor', 'owner']);
export type Sender = v.InferOutput<typeof Sender>;

export const Message = v.object({
  conversationId: Uuid,
  seq: Seq,
  /** Created by the sender's browser; unique within the conversation, so that every retry is safe. */
  id: Uuid,
  sender: Sender,
  text: v.string(),
  createdAt: Time,
  ...v.partial(MessageMedia).entries,
});
export type Message = v.InferOutput<typeof Message>;
