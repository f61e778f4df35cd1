import { afterEach, expect, test, vi } from 'vitest';
import { aVisitor } from '../../test/aVisitor.ts';
import { lost, Refused } from '../../test/fakeGateway.ts';
import { pass } from '../../test/passTime.ts';
import { renderVisitor } from '../../test/renderVisitor.tsx';

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
