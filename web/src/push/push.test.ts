import { afterEach, expect, test, vi } from 'vitest';
import { isIosTab, readSubscription, type StoredSubscription, unsubscribeOtherUser } from './device.ts';
import { isSafari } from './isSafari.ts';
import { showNotice } from './notices.ts';
import { isNoticeOf } from './shownNotices.ts';
import { isStillSignedIn, parseSubscribedAs } from './workerStorage.ts';

const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const iPhone = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${webKit}`;
const mac = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/18.5 Safari/605.1.15`;
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';

test.each([
  ['Safari on an iPhone', true, { userAgent: `${iPhone} Version/18.5 Mobile/15E148 Safari/604.1` }, false],
  ['Safari on an iPad, which says Mac', true, { userAgent: mac, maxTouchPoints: 5 }, false],
  ['Safari on a Mac', false, { userAgent: mac, maxTouchPoints: 0 }, false],
  ['Chrome on an iPhone', false, { userAgent: `${iPhone} CriOS/140.0 Mobile/15E148 Safari/604.1` }, false],
  ['a chat on the Home Screen', false, { userAgent: `${iPhone} Mobile/15E148` }, true],
  ['one on an iPad', false, { userAgent: mac, maxTouchPoints: 5, standalone: true }, false],
])('[N-05] %s is Safari in a tab of iOS: %s', (_name, expected, agent, onHomeScreen) => {
  expect(isIosTab(agent, onHomeScreen)).toBe(expected);
});

test('[N-03] the browser’s subscription becomes what the server accepts', () => {
  const keys = { p256dh: new Uint8Array(65).fill(251), auth: new Uint8Array(16).fill(255) };
  const read = readSubscription({
    endpoint: 'https://push.example/1',
    expirationTime: 5,
    getKey: (name) => keys[name].buffer,
    options: { applicationServerKey: new Uint8Array([4, 251, 255]).buffer, userVisibleOnly: true },
    unsubscribe: async () => true,
  });
  expect(read).toMatchObject({ endpoint: 'https://push.example/1', expiresAt: 5, key: 'BPv_' });
  expect(read.p256dh).toBe(Buffer.from(keys.p256dh).toString('base64url'));
  expect(read.auth).toBe(Buffer.from(keys.auth).toString('base64url'));
});

test.each([
  ['Safari on a Mac', true, mac],
  ['Safari on an iPhone', true, `${iPhone} Version/18.5 Mobile/15E148 Safari/604.1`],
  ['Chrome on a Mac', false, `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${blink} Safari/537.36`],
  ['Chrome on an iPhone', false, `${iPhone} CriOS/140.0 Mobile/15E148 Safari/604.1`],
  [
    'a web view on Android',
    false,
    `Mozilla/5.0 (Linux; Android 14; wv) ${blink.replace('Chrome', 'Version/4.0 Chrome')} Mobile Safari/537.36`,
  ],
  ['a chat on the Home Screen of an iPhone', false, `${iPhone} Mobile/15E148`],
])('[V-09] %s is Safari: %s', (_browser, expected, userAgent) => {
  expect(isSafari(userAgent)).toBe(expected);
});

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

async function endedFor(
  staffId: string,
  stored: Pick<StoredSubscription, 'side' | 'id'> | null,
): Promise<string[]> {
  const did: string[] = [];
  const memory = {
    read: () => stored && { ...stored, endpoint: 'https://push.test/1', at: 0 },
    forget: () => void did.push('forgotten'),
  };
  const unsubscribe = async () => did.push('unsubscribed');
  const given = { endpoint: '', p256dh: '', auth: '', expiresAt: null, key: null, unsubscribe };
  await unsubscribeOtherUser(staffId, memory, { subscription: async () => given });
  return did;
}

test('[PUSH-14] signing in ends another staff member’s notifications, and neither one’s own nor a visitor’s', async () => {
  expect(await endedFor('s2', { side: 'staff', id: 's1' })).toEqual(['forgotten', 'unsubscribed']);
  expect(await endedFor('s2', { side: 'staff', id: 's2' })).toEqual([]);
  expect(await endedFor('s2', { side: 'visitor', id: 'v1' })).toEqual([]);
  expect(await endedFor('s2', null)).toEqual([]);
});

test('opening a chat removes its notification, and none that holds text', () => {
  const seen = isNoticeOf('staff', 'c1');
  expect(seen({ to: 'staff', conversationId: 'c1', staffId: 's1' })).toBe(true);
  expect(seen({ to: 'staff', conversationId: 'c2' })).toBe(false);
  expect(seen({ to: 'visitor', conversationId: 'c1' })).toBe(false);
  expect(seen({ to: 'staff', conversationId: 'c1', holdsWords: true })).toBe(false);
  expect(seen({})).toBe(false);
});

test('[PUSH-06] a subscription is renewed only for the person it notified', () => {
  expect(isStillSignedIn({ side: 'staff', id: 's1' }, 's1')).toBe(true);
  expect(isStillSignedIn({ side: 'staff', id: 's1' }, 's2')).toBe(false);
  expect(isStillSignedIn({ side: 'staff', id: 's1' }, undefined)).toBe(false);
  expect(isStillSignedIn({ side: 'visitor', id: 'v1' }, 's2')).toBe(true);
});

test('[PUSH-06] the stored record names the person; a side alone notifies nobody', () => {
  expect(parseSubscribedAs('staff s1')).toEqual({ side: 'staff', id: 's1' });
  for (const kept of [undefined, '', 'staff', 'somebody s1']) expect(parseSubscribedAs(kept)).toBeUndefined();
});
