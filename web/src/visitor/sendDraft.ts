import { type Drafts, readList, removeSentText, storedDrafts, writeList } from '../chat/model/drafts.ts';
import type { LiveConversation } from '../chat/model/liveConversation.ts';
import { randomId } from '../net/randomId.ts';

export const visitorDrafts = storedDrafts(() => localStorage);

type Sending = { id: string; text: string };
type Conversation = Pick<LiveConversation, 'state' | 'send'>;

/** Sends a draft. Until the outbox has it, it is also stored with its id, in case the page closes. */
export function sendDraft(drafts: Drafts, conversation: Conversation, text: string): Promise<void> {
  const sending = { id: randomId(), text };
  write(drafts, conversation, [...read(drafts, conversation), sending]);
  return finish(drafts, conversation, sending);
}

/** Sends what an earlier page was sending when it closed. It has the same id, so it is stored once. */
export function resumeSending(drafts: Drafts, conversation: Conversation): void {
  const { id } = conversation.state();
  for (const sending of read(drafts, conversation)) {
    drafts.write(id, removeSentText(sending.text, drafts.read(id)));
    finish(drafts, conversation, sending).catch((error) => console.error('send:', error));
  }
}

async function finish(drafts: Drafts, conversation: Conversation, { id, text }: Sending): Promise<void> {
  try {
    await conversation.send(text, id);
  } finally {
    const others = read(drafts, conversation).filter((each) => each.id !== id);
    write(drafts, conversation, others);
  }
}

function read(drafts: Drafts, conversation: Conversation): Sending[] {
  return readList(drafts, keyOf(conversation));
}

function write(drafts: Drafts, conversation: Conversation, list: readonly Sending[]): void {
  writeList(drafts, keyOf(conversation), list);
}

function keyOf(conversation: Conversation): string {
  return `${conversation.state().id}.sending`;
}
