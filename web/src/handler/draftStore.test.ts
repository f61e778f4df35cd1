import { expect, test } from 'vitest';
import { memoryStorage } from '../../test/memoryStorage.ts';
import { removeSentText } from '../chat/model/drafts.ts';
import { draftStore, prependDraft } from './draftStore.ts';

test('[MSG-19] only its writer has a draft, also after a reload', () => {
  const storage = memoryStorage();
  draftStore('ana', () => storage).write('c', 'Hello');
  expect(draftStore('ana', () => storage).read('c')).toBe('Hello');
  expect(draftStore('ben', () => storage).read('c')).toBe('');
});

test('[MSG-19] without storage a draft lasts as long as the page', () => {
  const drafts = draftStore('ana', () => {
    throw new Error('storage is forbidden');
  });
  drafts.write('c', 'Hello');
  expect(drafts.read('c')).toBe('Hello');
  drafts.write('c', '');
  expect(drafts.read('c')).toBe('');
});

test('[CONSOLE-16] returned text comes before what was written since, once', () => {
  expect(prependDraft('Sorry', '')).toBe('Sorry');
  expect(prependDraft('Sorry', 'and')).toBe('Sorry\nand');
  expect(prependDraft('Sorry', 'Sorry\nand')).toBe('Sorry\nand');
  expect(prependDraft('Sorry', 'Sorry, and')).toBe('Sorry\nSorry, and');
  expect(prependDraft('', 'and')).toBe('and');
});

test('[MSG-19] text that arrived is removed before what was written since, and nothing else', () => {
  expect(removeSentText('Sorry', 'Sorry')).toBe('');
  expect(removeSentText('Sorry', 'Sorry\nand')).toBe('and');
  expect(removeSentText('Sorry', 'Sorry, and')).toBe('Sorry, and');
  expect(removeSentText('Sorry', '')).toBe('');
});
