import type { Note } from '@settee/protocol/model/note';

/** A note never changes and never goes: whatever two sources know belongs together. */
export function joinNotes(known: readonly Note[], more: readonly Note[]): Note[] {
  const byId = new Map([...known, ...more].map((note) => [note.id, note]));
  return [...byId.values()].toSorted(
    (a, b) => a.afterSeq - b.afterSeq || a.createdAt - b.createdAt || a.id.localeCompare(b.id),
  );
}

/** The notes behind each message, by its number. */
export function notesBySeq(notes: readonly Note[]): Map<number, Note[]> {
  return Map.groupBy(notes, ({ afterSeq }) => afterSeq);
}
