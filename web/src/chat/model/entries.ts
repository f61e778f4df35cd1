import type { Message, Sender } from '@settee/protocol/model/message';
import type { MessageMedia } from '@settee/protocol/model/messageMedia';
import type { ConversationState } from './conversationState.ts';

/** What is known of it; a message from before there were images to upload, or of another kind, has no measures. */
export type Media = Pick<MessageMedia, 'mediaUrl' | 'mediaType' | 'fileName'> &
  Pick<Message, 'size' | 'width' | 'height' | 'thumbhash'>;

/** What the list draws: a stored message or one still on its way. The key outlives the change between the two. */
export type Entry = {
  key: string;
  seq: number | null;
  sender: Sender;
  text: string;
  media?: Media;
  at: number;
  state: 'stored' | 'sending' | 'failed';
};

export function entriesOf({ log, pending, me }: Pick<ConversationState, 'log' | 'pending' | 'me'>): Entry[] {
  const unsent = pending.map(
    (p): Entry => ({
      key: p.id,
      seq: null,
      sender: me,
      text: p.text,
      ...(p.picture && { media: p.picture.media }),
      at: p.at,
      state: p.state === 'failed' ? 'failed' : p.state === 'acked' ? 'stored' : 'sending',
    }),
  );
  return [...log.messages.map(fromMessage), ...unsent];
}

/** A stored message never changes, so neither does its entry: bubbles that are given the same draw nothing anew. */
const known = new WeakMap<Message, Entry>();

function fromMessage(message: Message): Entry {
  const before = known.get(message);
  if (before) return before;
  const { id, seq, sender, text, createdAt, mediaUrl, mediaType = '', fileName = '' } = message;
  const entry: Entry = { key: id, seq, sender, text, at: createdAt, state: 'stored' };
  if (mediaUrl !== undefined) entry.media = { ...message, mediaUrl, mediaType, fileName };
  known.set(message, entry);
  return entry;
}

export type Receipt = { state: 'sending' | 'sent' | 'seen'; seenAt: number | null };

/** What stands under this side's newest message; the others carry none, and a failed one says so itself. */
export function receiptOf(entry: Entry, { me, view }: ConversationState): Receipt | undefined {
  if (entry.state === 'failed') return undefined;
  if (entry.state === 'sending') return { state: 'sending', seenAt: null };
  const seen = (me === 'visitor' ? view?.ownerSeen : view?.visitorSeen) ?? 0;
  if (entry.seq === null || entry.seq > seen) return { state: 'sent', seenAt: null };
  return { state: 'seen', seenAt: (me === 'visitor' ? view?.ownerSeenAt : view?.visitorSeenAt) ?? null };
}
