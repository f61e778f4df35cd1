import { afterEach, expect, test, vi } from 'vitest';
import { staffOutbox } from './staffOutbox.ts';

afterEach(() => vi.unstubAllGlobals());

test('[CONSOLE-49] every staff member has an own outbox: nobody sends another’s unsent text', () => {
  const open = vi.fn((_name: string, _version: number) => ({}));
  vi.stubGlobal('indexedDB', { open });
  for (const staffId of ['ana', 'ben', 'ana']) void staffOutbox(staffId).listAll();
  const [ana, ben, anaAgain] = open.mock.calls.map(([name]) => name);
  expect(ana).toBe(anaAgain);
  expect(ana).not.toBe(ben);
});
