import type { Message, Sender } from '@settee/protocol/message';
import type { ConversationState } from './conversationState.ts';

/** What the list draws: a stored message or one still on its way. The key outlives the change between the two. */
export type Entry = {
  key: string;
  seq: number | null;
  sender: Sender;
  text: string;
  at: number;
  state: 'stored' | 'sending' | 'failed';
};

export function entriesOf(state: ConversationState): Entry[] {
  const stored = state.log.messages.map(fromMessage);
  const pending = state.pending.map(
    (p): Entry => ({
      key: p.id,
      seq: null,
      sender: state.me,
      text: p.text,
      at: p.at,
      state: p.state === 'failed' ? 'failed' : p.state === 'acked' ? 'stored' : 'sending',
    }),
  );
  return [...stored, ...pending];
}

function fromMessage({ id, seq, sender, text, createdAt }: Message): Entry {
  return { key: id, seq, sender, text, at: createdAt, state: 'stored' };
}

/** The words under this side's newest message; the others carry none. */
export function receiptOf(entry: Entry, state: ConversationState): 'sending' | 'sent' | 'seen' | 'failed' {
  if (entry.state !== 'stored') return entry.state;
  const seen = (state.me === 'visitor' ? state.view?.ownerSeen : state.view?.visitorSeen) ?? 0;
  return entry.seq !== null && entry.seq <= seen ? 'seen' : 'sent';
}
