import { expect, test } from 'vitest';
import { memoryStorage } from '../../../test/memoryStorage.ts';
import { draftStore } from '../draftStore.ts';
import { noteDraft } from './noteDraft.ts';
import { idOfNote, keepUnsure, noteIsSure } from './unsureNote.ts';

function setUp() {
  const storage = memoryStorage();
  const drafts = () => draftStore('ana', () => storage);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { drafts, add: () => promise, arrive: resolve, fail: reject };
}

test('[OPEN-98] a note on its way is still a draft, before what is typed meanwhile, until it has arrived', async () => {
  const { drafts, add, arrive } = setUp();
  const draft = noteDraft(drafts(), 'c');
  // As the field does it: emptied first.
  draft.write('');
  const sent = draft.send('Careful', add);
  expect(noteDraft(drafts(), 'c').read()).toBe('Careful');
  draft.write('And');
  expect(noteDraft(drafts(), 'c').read()).toBe('Careful\nAnd');
  arrive();
  await sent;
  expect(draft.read()).toBe('And');
});

test('[OPEN-98] a note that failed stays a draft', async () => {
  const { drafts, add, fail } = setUp();
  const draft = noteDraft(drafts(), 'c');
  const sent = draft.send('Careful', add);
  fail(new Error('no answer'));
  await expect(sent).rejects.toThrow('no answer');
  expect(noteDraft(drafts(), 'c').read()).toBe('Careful');
  draft.write('Other');
  expect(draft.read()).toBe('Other');
});

test('[OPEN-98] the same words are the same note after a reload, until it is surely stored', () => {
  const { drafts } = setUp();
  let minted = 0;
  const idOf = (text: string) => idOfNote(drafts(), 'c', text, () => `n${++minted}`);
  expect([idOf('Careful'), idOf('Careful'), idOf('Other'), idOf('Careful')]).toEqual([
    'n1',
    'n1',
    'n2',
    'n3',
  ]);
  noteIsSure(drafts(), 'c');
  expect(idOf('Careful')).toBe('n4');
  keepUnsure(drafts(), 'c', { id: 'n3', text: 'Careful' });
  expect(idOf('Careful')).toBe('n3');
});
