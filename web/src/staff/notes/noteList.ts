import type { Note } from '@settee/protocol/model/note';

/** Merges notes from two sources. Notes never change. */
export function joinNotes(known: readonly Note[], more: readonly Note[]): Note[] {
  const byId = new Map([...known, ...more].map((note) => [note.id, note]));
  return [...byId.values()].toSorted(
    (a, b) => a.afterSeq - b.afterSeq || a.createdAt - b.createdAt || a.id.localeCompare(b.id),
  );
}

/** Notes by the number of the message before them. */
export function notesBySeq(notes: readonly Note[]): Map<number, Note[]> {
  return Map.groupBy(notes, ({ afterSeq }) => afterSeq);
}
