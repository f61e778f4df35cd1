import { afterEach, expect, test, vi } from 'vitest';
import { staffOutbox } from './staffOutbox.ts';

afterEach(() => vi.unstubAllGlobals());

test('[OPEN-91] every member of staff has an outbox of their own: nobody sends the unsent words of another', () => {
  const open = vi.fn((_name: string, _version: number) => ({}));
  vi.stubGlobal('indexedDB', { open });
  for (const staffId of ['ana', 'ben', 'ana']) void staffOutbox(staffId).listAll();
  const [ana, ben, anaAgain] = open.mock.calls.map(([name]) => name);
  expect(ana).toBe(anaAgain);
  expect(ana).not.toBe(ben);
});
