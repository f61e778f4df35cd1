import type { QueueRow } from '@settee/protocol/model/conversation';
import { newestFirst } from '@settee/protocol/model/queue';

type QueueChange = { rows: readonly QueueRow[]; gone: readonly string[] };

/** Newest first, with a stable order for equal times. */
export function sortQueue(rows: readonly QueueRow[]): QueueRow[] {
  return rows.toSorted(newestFirst);
}

/**
 * Applies changes that are not older than the known rows. Unchanged rows stay the same objects, so that a
 * change is cheap in large queues.
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

function merge(rows: readonly QueueRow[], others: readonly QueueRow[]): QueueRow[] {
  const merged: QueueRow[] = [];
  let next = 0;
  for (const row of rows) {
    for (let other = others[next]; other && newestFirst(other, row) < 0; other = others[++next])
      merged.push(other);
    merged.push(row);
  }
  return merged.concat(others.slice(next));
}

export function isOlder(row: QueueRow, known: QueueRow): boolean {
  return row.head < known.head || (row.head === known.head && row.rev < known.rev);
}
