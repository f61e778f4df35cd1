import { afterEach, expect, test, vi } from 'vitest';
import { type TestWindow, testWindow } from '../../test/aWindow.ts';
import { onNoticeClick } from './noticeClick.ts';

const chat = '3f2b8a52-7d0e-4c39-9a55-0d6a0c1b2e3f';
const another = '0c6e7f0a-91f5-4d7e-8f0b-6f2a4e1d5b3c';
const at = (id: string) => `/handler/conversation/${id}`;

afterEach(() => vi.unstubAllGlobals());

async function clickWith(windows: readonly TestWindow[]): Promise<string[]> {
  const opened: string[] = [];
  const openWindow = async (url: string) => void opened.push(url);
  vi.stubGlobal('clients', { matchAll: async () => windows, openWindow });
  const notification = { data: { to: 'staff', conversationId: chat }, title: 'Tom', close: () => {} };
  await onNoticeClick(Object.assign(new Event('click'), { notification, action: '', waitUntil: () => {} }));
  return opened;
}

test('a console that moved on to another chat returns to this one', async () => {
  const window = testWindow(at(chat), at(another));
  expect(await clickWith([window])).toEqual([]);
  expect(window.posted.at(-1)).toEqual({ type: 'openChat', conversationId: chat });
  expect(window.did).toEqual(['focus']);
});

test('of several consoles the one in this chat is chosen', async () => {
  const loadedThere = testWindow(at(chat), at(another));
  const isThere = testWindow('/handler', `${at(chat)}/`, false);
  await clickWith([loadedThere, isThere]);
  expect([loadedThere.did, isThere.did]).toEqual([[], ['focus']]);
});

test('a console that does not answer is reloaded; without one, one is opened', async () => {
  const silent = testWindow(at(chat));
  await clickWith([silent]);
  expect(silent.did).toEqual(['focus', `navigate ${at(chat)}`]);
  expect(await clickWith([])).toEqual([at(chat)]);
});
