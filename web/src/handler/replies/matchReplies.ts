import type { SavedReply } from '@settee/protocol/model/savedReply';

/** Matches by the shortcut's start, then anywhere in it, then by the text. */
export function matchReplies(replies: readonly SavedReply[], typed: string): SavedReply[] {
  const query = plain(typed);
  return replies
    .map((reply) => ({ reply, rank: rankOf(reply, query) }))
    .filter(({ rank }) => rank < NO_FIT)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ reply }) => reply);
}

const NO_FIT = 3;

function rankOf({ shortcut, text }: SavedReply, query: string): number {
  const place = plain(shortcut).indexOf(query);
  if (place === 0) return 0;
  if (place > 0) return 1;
  return plain(text).includes(query) ? 2 : NO_FIT;
}

/** Ignores case and accents. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
