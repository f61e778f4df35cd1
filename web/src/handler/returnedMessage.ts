import type { OutboxEntry, Returned } from '../chat/model/conversationState.ts';
import { type Drafts, readList, removeSentText, startsWithText, writeList } from '../chat/model/drafts.ts';
import type { Outbox } from '../chat/outbox/outbox.ts';
import { randomId } from '../net/randomId.ts';
import type { DraftStore } from './draftStore.ts';

/** `sending` since its text was taken from the composer, until it is in the outbox or returns again. */
type Remembered = Returned & { sending?: boolean };

/**
 * Returned text may have been stored: its ack may have been lost when the chat moved to another desk. Sent again
 * unchanged, each message keeps its id, so the server stores it once.
 */
export function rememberMessages(
  drafts: Drafts,
  conversationId: string,
  returned: readonly Returned[],
): void {
  const ids = new Set(returned.map(({ id }) => id));
  const before = remembered(drafts, conversationId).filter(({ id }) => !ids.has(id));
  write(drafts, conversationId, [...returned, ...before]);
}

/**
 * Begins to send a text. Returns its messages: returned ones at its start, with their ids, and then the rest. Of two
 * that match, the longer one is meant. The rest keeps its id too, in case the page closes while the outbox stores it.
 */
export function splitReturned(drafts: Drafts, conversationId: string, text: string): Returned[] {
  const unused = remembered(drafts, conversationId).toSorted((a, b) => b.text.length - a.text.length);
  const parts: Returned[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const found = unused.findIndex((each) => startsWithText(each.text, rest));
    const [next = { id: randomId(), text: rest }] = found < 0 ? [] : unused.splice(found, 1);
    parts.push({ id: next.id, text: next.text });
    rest = removeSentText(next.text, rest);
  }
  const sending = [...parts, ...unused].map((each) => ({ ...each, sending: true }));
  write(drafts, conversationId, sending);
  return parts;
}

/** The messages are in the outbox. Keeps what returned since `splitReturned`. False if some of them did. */
export function forgetReturned(drafts: Drafts, conversationId: string, sent: readonly Returned[]): boolean {
  const returned = remembered(drafts, conversationId).filter(({ sending }) => !sending);
  write(drafts, conversationId, returned);
  return !returned.some(({ id }) => sent.some((each) => each.id === id));
}

/** Removes a text from the draft if its page closed after the outbox stored it, but before the draft was removed. */
export function removeStored(drafts: DraftStore, { conversationId, id }: OutboxEntry): void {
  const messages = remembered(drafts, conversationId);
  const stored = messages.find((each) => each.id === id && each.sending);
  if (!stored) return;
  const draft = drafts.read(conversationId);
  const text = draft.trim() === stored.text ? draft : stored.text;
  // Behind other text, it keeps its id instead.
  if (!startsWithText(text, draft)) return;
  write(
    drafts,
    conversationId,
    messages.filter((each) => each !== stored),
  );
  drafts.reportSent(conversationId, text);
}

/** What returned to the draft is not unsent, also if its page closed before the outbox removed it. */
export function withoutReturned(outbox: Outbox, drafts: Drafts): Outbox {
  async function unsent(listed: Promise<OutboxEntry[]>): Promise<OutboxEntry[]> {
    const entries = await listed;
    const returned = entries.filter(({ conversationId, id }) =>
      remembered(drafts, conversationId).some((each) => each.id === id && !each.sending),
    );
    await Promise.all(returned.map(({ id }) => outbox.remove(id)));
    return entries.filter((entry) => !returned.includes(entry));
  }
  return {
    ...outbox,
    list: (conversationId) => unsent(outbox.list(conversationId)),
    listAll: () => unsent(outbox.listAll()),
  };
}

function remembered(drafts: Drafts, conversationId: string): Remembered[] {
  return readList(drafts, keyOf(conversationId));
}

function write(drafts: Drafts, conversationId: string, messages: readonly Remembered[]): void {
  writeList(drafts, keyOf(conversationId), messages);
}

/** Not a draft key, so that the queue does not show it. */
function keyOf(conversationId: string): string {
  return `${conversationId}:message`;
}
