import type { Message, Sender } from '@settee/protocol/model/message';
import type { ComponentProps } from 'react';
import { MessageList } from '../src/chat/list/MessageList.tsx';
import { type ConversationState, newConversation } from '../src/chat/model/conversationState.ts';

/** A fixed day, so that no test depends on the time of day. */
export const noon = new Date(2026, 10, 16, 12).getTime();

/** Messages numbered from 1, written at noon unless a time is given. */
export function messages(...all: [sender: Sender, text: string, at?: number][]): Message[] {
  return all.map(([sender, text, at = noon], i) => ({
    conversationId: 'c',
    id: `m${i + 1}`,
    seq: i + 1,
    sender,
    text,
    createdAt: at,
  }));
}

/** A loaded and read conversation, as its visitor sees it. */
export function threadOf(log: Message[], more: Partial<ConversationState> = {}): ConversationState {
  const head = log.at(-1)?.seq ?? 0;
  return {
    ...newConversation('c', 'visitor'),
    loaded: true,
    head,
    looked: head,
    log: { messages: log, aside: [] },
    ...more,
  };
}

type ThreadProps = Partial<ComponentProps<typeof MessageList>> & { state: ConversationState };

/** The message list of 400 px, with callbacks that do nothing. */
export function Thread(props: ThreadProps) {
  return (
    <div style={{ display: 'flex', height: 400 }}>
      <MessageList name="Mara" empty={null} onLooked={() => {}} loadOlder={async () => false} {...props} />
    </div>
  );
}

/** Distance of the list from its end. */
export function pxFromEnd(log: Element): number {
  return log.scrollHeight - log.scrollTop - log.clientHeight;
}

/** Scrolls as a reader does, and waits until the page has noticed. */
export async function scrollBy(log: Element, px: number): Promise<void> {
  const noticed = new Promise((done) => log.addEventListener('scroll', done, { once: true }));
  log.scrollBy(0, px);
  await noticed;
}
