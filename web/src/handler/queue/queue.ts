import type { QueueRow } from '@settee/protocol/model/conversation';

type QueueChange = { rows: readonly QueueRow[]; gone: readonly string[] };

/** Newest first; between two of the same moment the order must still not jump. */
export function sortQueue(rows: readonly QueueRow[]): QueueRow[] {
  return rows.toSorted(compare);
}

/**
 * Takes what came or changed, unless it is older than what is known, and drops what left. The rest is in order
 * already and stays the same objects: with thousands of rows one change must cost next to nothing.
 */
export function changeQueue(
  rows: readonly QueueRow[],
  { rows: changed, gone }: QueueChange,
): readonly QueueRow[] {
  const left = new Set(gone);
  const fresh = new Map(changed.map((row) => [row.conversationId, row]));
  const rest = rows.filter((known) => {
    if (left.has(known.conversationId)) return false;
    const row = fresh.get(known.conversationId);
    if (row === undefined) return true;
    if (!isOlder(row, known)) return false;
    fresh.delete(known.conversationId);
    return true;
  });
  if (fresh.size === 0) return rest.length === rows.length ? rows : rest;
  return merge(rest, sortQueue([...fresh.values()]));
}

/** Two lists in order become one. */
function merge(rows: readonly QueueRow[], others: readonly QueueRow[]): QueueRow[] {
  const merged: QueueRow[] = [];
  let next = 0;
  for (const row of rows) {
    for (let other = others[next]; other && compare(other, row) < 0; other = others[++next])
      merged.push(other);
    merged.push(row);
  }
  return merged.concat(others.slice(next));
}

function compare(a: QueueRow, b: QueueRow): number {
  if (a.lastMessageAt !== b.lastMessageAt) return b.lastMessageAt - a.lastMessageAt;
  if (a.conversationId === b.conversationId) return 0;
  return a.conversationId < b.conversationId ? -1 : 1;
}

function isOlder(row: QueueRow, known: QueueRow): boolean {
  return row.head < known.head || (row.head === known.head && row.rev < known.rev);
}
