import { attempt } from '../chat/model/attempt.ts';
import type { Drafts } from '../chat/model/drafts.ts';
import { removeSentText, startsWithText } from './draftStore.ts';

/** A message whose text is in the composer again. */
export type Returned = { id: string; text: string };

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
  drafts.write(keyOf(conversationId), JSON.stringify([...returned, ...before]));
}

/** The messages of a text: returned ones at its start, with their ids, and then the rest. */
export function splitReturned(
  drafts: Drafts,
  conversationId: string,
  text: string,
): (Pick<Returned, 'text'> & Partial<Returned>)[] {
  const parts: Returned[] = [];
  let rest = text.trim();
  for (const each of remembered(drafts, conversationId)) {
    if (!startsWithText(each.text, rest)) continue;
    parts.push(each);
    rest = removeSentText(each.text, rest);
  }
  return rest === '' ? parts : [...parts, { text: rest }];
}

export function forgetReturned(drafts: Drafts, conversationId: string): void {
  drafts.write(keyOf(conversationId), '');
}

function remembered(drafts: Drafts, conversationId: string): Returned[] {
  return attempt(() => JSON.parse(drafts.read(keyOf(conversationId)) || '[]') as Returned[]) ?? [];
}

/** Not a draft key, so that the queue does not show it. */
function keyOf(conversationId: string): string {
  return `${conversationId}:message`;
}
