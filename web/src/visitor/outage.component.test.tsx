import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { frame, pass } from '../../test/browser.ts';
import { lost, Refused } from '../../test/fakeGateway.ts';
import { aVisitor, renderVisitor } from '../../test/renderVisitor.tsx';

/** An open chat whose socket is dead, with a message that was sent over it. From here on time is fake. */
async function sendOnDeadSocket(text: string) {
  const { screen, gateway, chat } = await renderVisitor();
  await expect.element(screen.getByRole('banner').getByText('Online')).toBeVisible();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  gateway.stall();
  await screen.getByPlaceholder('Message...').fill(text);
  await screen.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.element(screen.getByText('Sending...')).toBeVisible();
  return { screen, gateway, chat };
}

/** Lets time pass until the message has arrived. `live.test.ts` proves how long the page waits. */
async function arrival(messages: readonly unknown[]): Promise<void> {
  while (messages.length === 0) await pass(250);
}

test('[NET-08] a message sent on a dead socket that nobody reported arrives once', async () => {
  const { screen, gateway, chat } = await sendOnDeadSocket('anyone?');
  await arrival(chat.messages);
  await expect.element(screen.getByText('Sent', { exact: true })).toBeVisible();
  expect(chat.messages.map(({ text }) => text)).toEqual(['anyone?']);
  expect(gateway.openSockets()).toBe(1);
});

test('[NET-08] a page that wakes on a dead socket opens another one, and its message arrives', async () => {
  const { screen, chat } = await sendOnDeadSocket('before sleep');
  document.dispatchEvent(new Event('visibilitychange'));
  await arrival(chat.messages);
  await expect.element(screen.getByText('Sent', { exact: true })).toBeVisible();
  expect(chat.messages.map(({ text }) => text)).toEqual(['before sleep']);
});

test('[NET-24] a device that was removed while it was offline is told so when the network returns', async () => {
  const { screen, gateway, chat } = await renderVisitor({ messages: ['hello'] });
  await expect.element(screen.getByText('hello')).toBeVisible();
  gateway.drop();
  const conversationId = chat.conversation.id;
  gateway.onFrame.watch = () => [{ type: 'refused', code: 'not_found', conversationId }];
  gateway.restore();
  await expect.element(screen.getByText('This device no longer has access to this chat.')).toBeVisible();
  await expect.element(screen.getByText('hello')).not.toBeInTheDocument();
});

// The page logs every lost call.
const ignoreLog = () => vi.spyOn(console, 'error').mockReturnValue();

afterEach(() => void vi.restoreAllMocks());

const stopTime = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
const isOnlineShown = () => /\bOnline\b/.test(document.body.textContent ?? '');

/** Lets up to so many seconds pass until this holds. Returns how many. */
async function secondsUntil(holds: () => boolean, most: number): Promise<number> {
  let seconds = 0;
  for (; seconds < most && !holds(); seconds += 1) await pass(1_000);
  return seconds;
}

test('[NET-14] a link opened during an outage is retried automatically, and the page never shows Online', async () => {
  ignoreLog();
  stopTime();
  const { screen, gateway } = await renderVisitor({
    attached: false,
    answers: { checkInvite: () => lost, signInAnonymously: () => lost, readBrand: () => lost },
    atOnce: true,
  });
  const title = screen.getByRole('heading', { name: 'Unable to access chat' });
  await secondsUntil(() => title.query() !== null, 20);
  await expect.element(screen.getByText('Failed to load invite')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Go to Home' })).toBeVisible();
  expect(isOnlineShown()).toBe(false);
  const { answers } = aVisitor({ attached: false });
  for (const name of ['checkInvite', 'signInAnonymously', 'readBrand'] as const)
    gateway.answer(name, answers[name]);
  const asked = gateway.asked('checkInvite').length;
  const isRetried = () => gateway.asked('checkInvite').length > asked;
  // The next try comes after six seconds on average, with up to three more.
  expect(await secondsUntil(isRetried, 20)).toBeLessThanOrEqual(10);
  await expect.element(screen.getByRole('button', { name: 'Start chat' })).toBeVisible();
});

test('a chat that is opened without a network says that its earlier messages come later', async () => {
  ignoreLog();
  const first = await renderVisitor({ messages: ['hello'] });
  await expect.element(first.screen.getByText('hello')).toBeVisible();
  await first.screen.unmount();
  stopTime();
  const { screen, gateway } = await renderVisitor({
    atOnce: true,
    messages: ['hello'],
    answers: { checkInvite: () => lost, signInAnonymously: () => lost, readBrand: () => lost },
  });
  gateway.drop();
  await passTime();
  await expect.element(screen.getByText(/Earlier messages show when you’re online\.$/)).toBeVisible();
});

test('[NET-14] a visitor whose connection is lost at the name gate sees Connecting..., never Online', async () => {
  ignoreLog();
  const { screen, gateway } = await renderVisitor({ attached: false });
  await screen.getByRole('button', { name: 'Start chat' }).click();
  await expect.element(screen.getByLabelText('Display Name')).toBeVisible();
  await expect.element(screen.getByRole('banner').getByText('Online')).toBeVisible();
  stopTime();
  gateway.drop();
  await vi.advanceTimersByTimeAsync(2_000);
  await expect.element(screen.getByRole('banner').getByText('Connecting...')).toBeVisible();
  expect(isOnlineShown()).toBe(false);
});

test.each([
  ['and asks for no claim', { cookie: false }, false],
  // The claim is faster than the answer about the cookie, so the server refuses it.
  ['however slow the network is', new Promise<never>(() => {}), true],
])('[MSG-41] where cookies are blocked, the page says so, %s', async (_, seen, claims) => {
  const { screen, gateway } = await renderVisitor({
    attached: false,
    answers: { seeInvite: () => seen, claimInvite: () => new Refused('unauthenticated') },
  });
  await screen.getByRole('button', { name: 'Start chat' }).click();
  await screen.getByLabelText('Display Name').fill('Jonas');
  await expect.poll(() => gateway.asked('seeInvite')).toHaveLength(1);
  await screen.getByRole('button', { name: 'Start Chatting' }).click();
  await expect.poll(() => document.body.textContent).toContain('This browser blocks cookies.');
  await expect.element(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
  expect(gateway.asked('claimInvite').length > 0).toBe(claims);
});

// Before the databases are emptied.
afterEach(() => void vi.restoreAllMocks());

test('if the browser’s database never answers, messages are sent within 3 s and survive a reload', async () => {
  vi.spyOn(indexedDB, 'open').mockImplementation(() => new EventTarget() as IDBOpenDBRequest);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const first = await renderVisitor();
  const write = async (text: string) => {
    await first.screen.getByPlaceholder('Message...').fill(text);
    await first.screen.getByRole('button', { name: 'Send', exact: true }).click();
  };
  const stored = () => first.chat.messages.map(({ text }) => text);
  await expect.element(first.screen.getByRole('banner').getByText('Online')).toBeVisible();
  await write('one');
  const began = Date.now();
  while (stored().length === 0 && Date.now() - began < 60_000) await pass(250);
  expect(Date.now() - began).toBeLessThanOrEqual(3_000);
  await expect.element(first.screen.getByText('Sent', { exact: true })).toBeVisible();
  vi.useRealTimers();

  first.gateway.drop();
  await write('two');
  await expect.element(first.screen.getByText('Sending...')).toBeVisible();
  // The composer accepts the next message when this one is stored.
  await expect.element(first.screen.getByRole('button', { name: 'Send', exact: true })).toBeVisible();
  expect(stored()).toEqual(['one']);
  await first.screen.unmount();

  const next = await renderVisitor({ messages: first.chat.messages });
  await expect.element(next.screen.getByText('two', { exact: true })).toBeVisible();
  await expect.poll(() => next.chat.messages.map(({ text }) => text)).toEqual(['one', 'two']);
  await expect.element(next.screen.getByText('Sent', { exact: true })).toBeVisible();
});

beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue());

test('[E-09] [E-10] without the profile the page shows the defaults and a connecting line', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { screen, gateway } = await renderVisitor({
    attached: false,
    atOnce: true,
    brand: { displayName: 'Mara Lindqvist', verified: false },
    answers: { readBrand: () => lost },
  });
  gateway.onFrame.hello = () => [];
  await passTime();
  expect(gateway.asked('readBrand').length).toBeGreaterThan(0);
  const name = screen.getByRole('heading', { level: 1 });
  await expect.element(screen.getByText('Nobody is here right now')).toBeVisible();
  await expect.poll(() => name.element().textContent).toMatch(/^Settee/);
  await expect.element(name.getByRole('img', { name: 'This is the official profile.' })).toBeVisible();
  expect(document.title).toBe('Start a conversation · Settee');
  await screen.getByRole('button', { name: 'Start chat' }).click();
  await expect.element(screen.getByRole('banner').getByText('Connecting...')).toBeVisible();
  await expect.element(screen.getByText('Online')).not.toBeInTheDocument();
});

test('[L-04] listeners start, and the permission is read, after 100 ms', async () => {
  const permission = vi.spyOn(Notification, 'permission', 'get').mockReturnValue('default');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const start = await renderVisitor({ attached: false, atOnce: true });
  const started = () => [start.gateway.asked('readBrand').length, start.gateway.openSockets()];
  await until(() => start.screen.getByRole('button', { name: 'Start chat' }).elements().length > 0);
  await pass(99);
  expect(started()).toEqual([0, 0]);
  await pass(1);
  await until(() => String(started()) === '1,1');
  await start.screen.unmount();

  const chat = await renderVisitor({ atOnce: true });
  await until(() => chat.screen.getByRole('button', { name: 'Notifications' }).elements().length > 0);
  await pass(99);
  expect(permission).not.toHaveBeenCalled();
  await pass(1);
  await until(() => permission.mock.calls.length > 0);
});

/** Lets the page notice that nobody answers. Time stays fake: a timer that a slow page starts later would be lost. */
async function passTime(): Promise<void> {
  for (let seconds = 0; seconds < 10; seconds++) await pass(1_000);
}

/** Waits without moving the fake time, which `expect.element` and `vi.waitFor` would do. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await frame();
}
