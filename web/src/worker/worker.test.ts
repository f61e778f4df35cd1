import { type Brand, defaultBrand } from '@settee/protocol/model/brand';
import type { PushPayload } from '@settee/protocol/model/push';
import { fillVisitorPage } from '@settee/protocol/render/visitorPage';
import { afterEach, expect, test, vi } from 'vitest';
import type { WindowLocation, WorkerMessage } from '../push/workerMessage.ts';
import { workerTexts } from '../push/workerTexts.ts';
import { isShell, withUnknownProfile } from './isShell.ts';
import {
  noticeOf,
  parseNoticeSubject,
  readPayload,
  replyFailedNotice,
  replyRefusedNotice,
} from './notice.ts';
import { onNoticeClick } from './noticeClick.ts';
import type { NoticeOptions, Window } from './scope.ts';
import { showPushNotice } from './showPushNotice.ts';

type TestWindow = Window & { posted: WorkerMessage[]; did: string[] };

/** An open window that was loaded from `loaded`. With `now`, it is a signed-in console that reports this path. */
function testWindow(loaded: string, now?: string, front = true): TestWindow {
  const posted: WorkerMessage[] = [];
  const did: string[] = [];
  return {
    url: `https://settee.test${loaded}`,
    focused: front,
    visibilityState: front ? 'visible' : 'hidden',
    posted,
    did,
    async focus() {
      did.push('focus');
    },
    async navigate(url) {
      did.push(`navigate ${url}`);
    },
    postMessage(message, [port]) {
      posted.push(message as WorkerMessage);
      if (now === undefined || !(port instanceof MessagePort)) return;
      const here: WindowLocation = { path: now, looksAt: front };
      port.postMessage((message as WorkerMessage).type === 'where' ? here : 'received');
    },
  };
}

const assets = ['/assets/visitor-1.js', '/assets/visitor-1.css'];
const html = 'text/html; charset=utf-8';
const page = (script: string, brand: Brand = defaultBrand) =>
  fillVisitorPage(
    `<link href="/assets/visitor-1.css"><script src="${script}"></script><div data-brand="{{brand}}"></div>`,
    brand,
  );

test('[NET-24] only the chat page of this build replaces the cached one', () => {
  expect(isShell(html, page('/assets/visitor-1.js'), assets)).toBe(true);
  expect(isShell(html, page('/assets/visitor-2.js'), assets)).toBe(false);
  expect(isShell('application/manifest+json; charset=utf-8', '{"id":"/i/a"}', assets)).toBe(false);
  expect(isShell(null, page('/assets/visitor-1.js'), assets)).toBe(false);
  // On a slow network, the link of one profile must not show another one.
  const ofAnother = page('/assets/visitor-1.js', { ...defaultBrand, mark: conversationId });
  expect(isShell(html, ofAnother, assets)).toBe(false);
  const withWord = page('/assets/visitor-1.js', { ...defaultBrand, displayName: '"mark":' });
  expect(isShell(html, withWord, assets)).toBe(true);
  const kept = withUnknownProfile(
    page('/assets/visitor-1.js', { ...defaultBrand, updatedAt: 1_766_000_000_000 }),
  );
  expect(kept).toBe(page('/assets/visitor-1.js'));
});

const conversationId = '3f2b8a52-7d0e-4c39-9a55-0d6a0c1b2e3f';

const message: PushPayload = {
  kind: 'message',
  to: 'visitor',
  conversationId,
  seq: 7,
  title: 'Mara Lindqvist',
};

const pushed = (value: unknown) => ({ json: () => JSON.parse(JSON.stringify(value)) as unknown });

test('[PUSH-09] a visitor sees the profile’s name and that there is a message, and no more', () => {
  const { title, options } = noticeOf(readPayload(pushed(message)), true);
  expect([title, options.body]).toEqual(['Mara Lindqvist', 'New message']);
  expect(options.data).toEqual({ to: 'visitor', conversationId, seq: 7 });
  expect(options.actions).toBeUndefined();
  // The next notification of this chat replaces it and alerts again.
  expect([options.tag, options.renotify]).toEqual([conversationId, true]);
});

test('[PUSH-09] extra fields of a payload are not shown', () => {
  const { title, options } = noticeOf(
    readPayload(pushed({ ...message, text: 'secret', alias: 'desk-7' })),
    true,
  );
  expect(JSON.stringify([title, options])).not.toMatch(/secret|desk-7/);
});

test('[PUSH-09] a handler sees who wrote, and can answer where the platform has buttons', () => {
  const toStaff: PushPayload = { ...message, to: 'staff', title: 'Tom' };
  expect(noticeOf(toStaff, false, 's1').options.actions).toBeUndefined();
  // Nobody is signed in to answer.
  expect(noticeOf(toStaff, true).options.actions).toBeUndefined();
  const { options } = noticeOf(toStaff, true, 's1');
  expect(options.data).toEqual({ to: 'staff', conversationId, seq: 7, staffId: 's1' });
  expect(options.actions).toEqual([
    { action: 'reply', type: 'text', title: 'Reply', placeholder: 'Type your message...' },
  ]);
});

test.each([
  ['nothing at all', null],
  ['no JSON', { json: () => JSON.parse('<html>') as unknown }],
  ['another form', pushed({ kind: 'newer than this worker', to: 'visitor' })],
])('[PUSH-09] %s still shows something', (_, data) => {
  expect(readPayload(data)).toBeUndefined();
  expect(noticeOf(undefined, true).title).toBe('New message');
});

test('[PUSH-23] a reply that was not sent says so in the same place; text that cannot be stored shows in it', () => {
  const about = { to: 'staff', conversationId, seq: 7 } as const;
  const failed = replyFailedNotice('Tom', about);
  expect([failed.options.body, failed.options.tag]).toEqual([
    'Your reply has not been sent yet. Open the chat.',
    conversationId,
  ]);
  expect(parseNoticeSubject(failed.options.data)).toEqual(about);
  const refused = replyRefusedNotice('Tom', about, 'On my way').options;
  expect(refused.body).toBe('Your reply couldn’t be sent. You wrote:\nOn my way');
  expect(parseNoticeSubject(refused.data)).toEqual({ ...about, holdsWords: true });
});

test('[LANG-06] a notification has the texts that the page stored', () => {
  const german = { ...workerTexts, noticeBody: 'Neue Nachricht' };
  expect(noticeOf(readPayload(pushed(message)), false, undefined, german).options.body).toBe(
    'Neue Nachricht',
  );
});

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

test('a console that does not answer is reloaded; without one that can be, one is opened', async () => {
  const silent = testWindow(at(chat));
  await clickWith([silent]);
  expect(silent.did).toEqual(['focus', `navigate ${at(chat)}`]);
  silent.navigate = () => Promise.reject(new TypeError('not controlled'));
  expect(await clickWith([silent])).toEqual([at(chat)]);
  expect(await clickWith([])).toEqual([at(chat)]);
});

const safari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15';

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
