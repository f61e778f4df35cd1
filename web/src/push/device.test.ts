import { expect, test } from 'vitest';
import { isIosTab, readSubscription } from './device.ts';

const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const iPhone = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${webKit}`;
const mac = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/18.5 Safari/605.1.15`;

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
