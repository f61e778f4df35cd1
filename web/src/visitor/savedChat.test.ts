import { expect, test } from 'vitest';
import { memoryStorage } from '../../test/memoryStorage.ts';
import { LEFT, savedChat } from './savedChat.ts';

test('[PRIVACY-06] a chat that was left is marked for deletion until this device joins it again', () => {
  const storage = memoryStorage();
  const chat = savedChat(() => storage, 'T');
  const state = () => [chat.remembered(), storage.getItem(`${LEFT}T`)];
  chat.remember('c');
  expect(state()).toEqual(['c', null]);
  chat.leave();
  // Again, for example because the link shows as revoked.
  chat.leave();
  expect(state()).toEqual([null, 'c']);
  chat.remember('c');
  expect(state()).toEqual(['c', null]);
});
