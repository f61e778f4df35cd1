import { expect, test } from 'vitest';
import { memoryStorage } from '../../../test/memoryStorage.ts';
import { draftStore } from '../draftStore.ts';
import { clearPendingNote, noteIdFor, storePendingNote } from './pendingNote.ts';

test('[MSG-19] the same text is the same note after a reload, until it is surely stored', () => {
  const storage = memoryStorage();
  const drafts = () => draftStore('ana', () => storage);
  let minted = 0;
  const idOf = (text: string) => noteIdFor(drafts(), 'c', text, () => `n${++minted}`);
  expect([idOf('Careful'), idOf('Careful'), idOf('Other'), idOf('Careful')]).toEqual([
    'n1',
    'n1',
    'n2',
    'n3',
  ]);
  clearPendingNote(drafts(), 'c');
  expect(idOf('Careful')).toBe('n4');
  storePendingNote(drafts(), 'c', { id: 'n3', text: 'Careful' });
  expect(idOf('Careful')).toBe('n3');
});
