import type { QueueRow } from '@settee/protocol/conversation';

type QueueChange = { rows: readonly QueueRow[]; gone: readonly string[] };

/** Newest first; between two of the same moment the order must still not jump. */
export function sortQueue(rows: readonly QueueRow[]): QueueRow[] {
  return rows.toSorted(
    (a, b) => b.lastMessageAt - a.lastMessageAt || a.conversationId.localeCompare(b.conversationId),
  );
}

/** Takes what came or changed, unless it is older than what is known, and drops what left. */
export function changeQueue(rows: readonly QueueRow[], { rows: changed, gone }: QueueChange): QueueRow[] {
  const byId = new Map(rows.map((row) => [row.conversationId, row]));
  for (const id of gone) byId.delete(id);
  for (const row of changed) {
    const known = byId.get(row.conversationId);
    if (!known || !isOlder(row, known)) byId.set(row.conversationId, row);
  }
  return sortQueue([...byId.values()]);
}

function isOlder(row: QueueRow, known: QueueRow): boolean {
  return row.head < known.head || (row.head === known.head && row.rev < known.rev);
}
