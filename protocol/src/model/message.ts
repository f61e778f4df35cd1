import * as v from 'valibot';
import { cleanMessageText } from './cleanText.ts';
import { Seq, Time, Uuid } from './ids.ts';
import { MessageMedia } from './messageMedia.ts';

export const MESSAGE_TEXT_MAX = 4_000;

/** How many messages one page of history, one resume or one gap-fill brings at most. */
export const MESSAGE_PAGE = 50;

/** What a queue row says of a message that carries media in the place of text. */
export const MEDIA_PREVIEW = '[Media]';

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
