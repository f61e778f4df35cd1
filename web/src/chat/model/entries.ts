import type { Message, Sender } from '@settee/protocol/model/message';
import type { MessageMedia } from '@settee/protocol/model/messageMedia';
import { type ConversationState, hasStopped } from './conversationState.ts';

/** Media of a message. Old or foreign messages have no size. */
export type Media = Pick<MessageMedia, 'mediaUrl' | 'mediaType' | 'fileName'> &
  Pick<Message, 'size' | 'width' | 'height' | 'thumbhash'>;

/** A list entry: a stored or pending message. The key stays the same when it is stored. */
export type Entry = {
  key: string;
  seq: number | null;
  sender: Sender;
  text: string;
  media?: Media;
  at: number;
  state: 'stored' | 'sending' | 'refused' | 'returned';
  /** Held because it names this profile. */
  names?: string | undefined;
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
      names: p.names,
      state: hasStopped(p.state) ? p.state : p.state === 'acked' ? 'stored' : 'sending',
    }),
  );
  return [...log.messages.map(fromMessage), ...unsent];
}

/** Stored messages never change, so cached entries prevent renders. */
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

/** The receipt of this side's newest message. A refused or returned one says so itself. */
export function receiptOf(entry: Entry, { me, view }: ConversationState): Receipt | undefined {
  if (hasStopped(entry.state)) return undefined;
  if (entry.state === 'sending') return { state: 'sending', seenAt: null };
  const seen = (me === 'visitor' ? view?.ownerSeen : view?.visitorSeen) ?? 0;
  if (entry.seq === null || entry.seq > seen) {
    // Sent to nobody.
    return view && 'noAccess' in view && view.noAccess !== null ? undefined : { state: 'sent', seenAt: null };
  }
  return { state: 'seen', seenAt: (me === 'visitor' ? view?.ownerSeenAt : view?.visitorSeenAt) ?? null };
}
