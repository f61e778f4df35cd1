import { afterEach, expect, test, vi } from 'vitest';
import { showNotice } from './notices.ts';

afterEach(() => vi.unstubAllGlobals());

test('where only the worker may show a notice, it knows where a click leads', async () => {
  const shown: unknown[] = [];
  const showNotification = async (...args: unknown[]) => void shown.push(args);
  vi.stubGlobal(
    'Notification',
    class {
      constructor() {
        throw new TypeError('Illegal constructor');
      }
    },
  );
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => ({ showNotification }) } });
  const about = { to: 'staff', conversationId: 'c1' } as const;
  await showNotice('Tom', about);
  expect(shown).toEqual([['Tom', { body: 'New message', tag: 'c1', data: about }]]);
});
