import type { Note } from '@settee/protocol/model/note';
import { expect, test } from 'vitest';
import { joinNotes, notesBySeq } from './noteList.ts';

function note(id: string, afterSeq: number, createdAt = 0): Note {
  return { id, conversationId: 'c', afterSeq, author: 'Ana', text: id, createdAt };
}
const ids = (notes: readonly Note[] | undefined) => notes?.map(({ id }) => id);

test('a note that arrives twice is one note, in its place', () => {
  const read = [note('a', 1), note('c', 3)];
  const joined = joinNotes(read, [note('b', 2), note('c', 3), note('late', 1, 5)]);
  expect(ids(joined)).toEqual(['a', 'late', 'b', 'c']);
  expect(ids(joinNotes(joined, read))).toEqual(ids(joined));
});

test('each message has the notes after it; 0 is the top', () => {
  const places = notesBySeq([note('top', 0), note('a', 2), note('b', 2)]);
  expect(ids(places.get(0))).toEqual(['top']);
  expect(ids(places.get(2))).toEqual(['a', 'b']);
  expect(places.get(1)).toBeUndefined();
});
