import { afterEach, expect, test, vi } from 'vitest';
import { type TestWindow, testWindow } from '../../test/aWindow.ts';
import type { NoticeOptions } from './scope.ts';
import { showPushNotice } from './showPushNotice.ts';

const chat = '3f2b8a52-7d0e-4c39-9a55-0d6a0c1b2e3f';
const another = '0c6e7f0a-91f5-4d7e-8f0b-6f2a4e1d5b3c';
const at = (id: string) => `/handler/conversation/${id}`;
const safari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15';

afterEach(() => vi.unstubAllGlobals());

/** Shows the push of a message in `chat`. Returns the notifications and how many were closed again. */
async function pushTo(to: 'staff' | 'visitor', windows: readonly TestWindow[], userAgent = 'Chrome') {
  const shown: NoticeOptions[] = [];
  let closed = 0;
  vi.stubGlobal('navigator', { userAgent });
  vi.stubGlobal('Notification', { maxActions: 2 });
  vi.stubGlobal('clients', { matchAll: async () => windows });
  vi.stubGlobal('registration', {
    showNotification: async (_: string, options: NoticeOptions) => void shown.push(options),
    getNotifications: async () => [{ close: () => (closed += 1) }],
  });
  // Storage that never answers.
  vi.stubGlobal('indexedDB', { open: () => ({}) });
  const payload = { kind: 'message', to, conversationId: chat, seq: 7, title: 'Tom' };
  await showPushNotice({ json: () => payload });
  return { shown, closed };
}

test('a console reports which chat is visible, wherever it was loaded', async () => {
  expect((await pushTo('staff', [testWindow(at(chat), at(another))])).shown).toHaveLength(1);
  expect((await pushTo('staff', [testWindow('/handler', at(chat))])).shown).toEqual([]);
  expect((await pushTo('staff', [testWindow('/handler', at(chat), false)])).shown).toHaveLength(1);
  // Signed out or suspended.
  expect((await pushTo('staff', [testWindow(at(chat))])).shown).toHaveLength(1);
});

test('Safari allows no push without a notification: it shows silently and closes', async () => {
  const { shown, closed } = await pushTo('staff', [testWindow('/handler', at(chat))], safari);
  expect(shown).toMatchObject([{ silent: true, tag: chat }]);
  expect(closed).toBe(1);
  expect((await pushTo('staff', [], safari)).closed).toBe(0);
});

test('[PUSH-09] storage that does not answer delays no notification', async () => {
  expect((await pushTo('visitor', [])).shown).toMatchObject([{ body: 'New message' }]);
});
