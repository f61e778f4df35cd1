import { type Edited, insertAt } from '../replies/slashWord.ts';

/** A slash that a button typed, and the words without it. As long as nothing was typed since, it is nobody's word. */
export type TemporarySlash = { after: Edited; before: Edited };

export function insertTemporarySlash(before: Edited): TemporarySlash {
  return { after: insertAt(before.text, before.caret, '/'), before };
}

/** The words without a slash that is still only lent. */
export function withoutTemporarySlash(lent: TemporarySlash | null, now: Edited): Edited {
  return lent?.after.text === now.text ? lent.before : now;
}
