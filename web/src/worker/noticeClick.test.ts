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

test('[OPEN-132] a console that was loaded in this chat and has gone to another is told to come back', async () => {
  const window = testWindow(at(chat), at(another));
  expect(await clickWith([window])).toEqual([]);
  expect(window.told.at(-1)).toEqual({ type: 'openChat', conversationId: chat });
  expect(window.did).toEqual(['focus']);
});

test('[OPEN-132] of several consoles it is the one that is in this chat now', async () => {
  const loadedThere = testWindow(at(chat), at(another));
  const isThere = testWindow('/handler', `${at(chat)}/`, false);
  await clickWith([loadedThere, isThere]);
  expect([loadedThere.did, isThere.did]).toEqual([[], ['focus']]);
});

test('[OPEN-132] one that says nothing is loaded anew; where none is open, one is opened', async () => {
  const silent = testWindow(at(chat));
  await clickWith([silent]);
  expect(silent.did).toEqual(['focus', `navigate ${at(chat)}`]);
  expect(await clickWith([])).toEqual([at(chat)]);
});
