import { attempt } from '../chat/model/attempt.ts';
import type { Returned } from '../chat/model/conversationState.ts';
import type { Drafts } from '../chat/model/drafts.ts';
import { removeSentText, startsWithText } from './draftStore.ts';

/** `sending` since its text was taken from the composer, until it returns again. */
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
 * that match, the longer one is meant.
 */
export function splitReturned(
  drafts: Drafts,
  conversationId: string,
  text: string,
): (Pick<Returned, 'text'> & Partial<Returned>)[] {
  const known = remembered(drafts, conversationId);
  write(
    drafts,
    conversationId,
    known.map((each) => ({ ...each, sending: true })),
  );
  const longestFirst = known.toSorted((a, b) => b.text.length - a.text.length);
  const parts: Returned[] = [];
  let rest = text.trim();
  for (;;) {
    const found = longestFirst.findIndex((each) => startsWithText(each.text, rest));
    const [next] = found < 0 ? [] : longestFirst.splice(found, 1);
    if (!next) return rest === '' ? parts : [...parts, { text: rest }];
    parts.push({ id: next.id, text: next.text });
    rest = removeSentText(next.text, rest);
  }
}

/** The text is in the outbox. Keeps what returned since `splitReturned`. */
export function forgetReturned(drafts: Drafts, conversationId: string): void {
  const returned = remembered(drafts, conversationId).filter(({ sending }) => !sending);
  write(drafts, conversationId, returned);
}

function remembered(drafts: Drafts, conversationId: string): Remembered[] {
  return attempt(() => JSON.parse(drafts.read(keyOf(conversationId)) || '[]') as Remembered[]) ?? [];
}

function write(drafts: Drafts, conversationId: string, messages: readonly Remembered[]): void {
  drafts.write(keyOf(conversationId), messages.length > 0 ? JSON.stringify(messages) : '');
}

/** Not a draft key, so that the queue does not show it. */
function keyOf(conversationId: string): string {
  return `${conversationId}:message`;
}
