import { expect, test } from 'vitest';
import { memoryStorage } from '../../test/memoryStorage.ts';
import { draftStore } from './draftStore.ts';

test('[OPEN-98] a draft is there for its writer only, also after a reload', () => {
  const storage = memoryStorage();
  draftStore('ana', () => storage).write('c', 'Hello');
  expect(draftStore('ana', () => storage).read('c')).toBe('Hello');
  expect(draftStore('ben', () => storage).read('c')).toBe('');
});

test('[OPEN-98] without storage a draft lasts as long as the page', () => {
  const drafts = draftStore('ana', () => {
    throw new Error('storage is forbidden');
  });
  drafts.write('c', 'Hello');
  expect(drafts.read('c')).toBe('Hello');
  drafts.write('c', '');
  expect(drafts.read('c')).toBe('');
});
