import { calls } from '@settee/protocol/calls/http';
import { expect, test } from 'vitest';
import { isTouch } from '../src/browser/isTouch.ts';
import { createApi } from '../src/net/api.ts';
import { emulateMedia, emulateTouch } from './browser.ts';
import { type Answers, fakeGateway, lost, Refused } from './fakeGateway.ts';
import { renderConsole } from './renderConsole.tsx';

const brand = { displayName: 'Settee', avatarUrl: null, verified: true, updatedAt: 0 };
const readBrand = () => createApi(calls, {})('readBrand', {});

test('an answer arrives, a refusal has its status, and a lost answer has none', async () => {
  const gateway = fakeGateway('visitor', { readBrand: { brand, online: true } }, {});
  expect(await readBrand()).toMatchObject({ ok: true, answer: { online: true } });
  gateway.answer('readBrand', () => new Refused('unavailable'));
  expect(await readBrand()).toMatchObject({ ok: false, status: 503, code: 'unavailable' });
  gateway.answer('readBrand', () => lost);
  expect(await readBrand()).toMatchObject({ ok: false, status: 0 });
  expect(gateway.asked('readBrand')).toHaveLength(3);
});

test('a held answer arrives when it is released', async () => {
  const gateway = fakeGateway('visitor', { readBrand: { brand, online: true } }, {});
  const release = gateway.hold('readBrand');
  let arrived = false;
  const reading = readBrand().then((read) => {
    arrived = true;
    return read;
  });
  await expect.poll(() => gateway.asked('readBrand')).toHaveLength(1);
  expect(arrived).toBe(false);
  release();
  expect(await reading).toMatchObject({ ok: true });
});

test.fails('a request without an answer fails the test', async () => {
  fakeGateway('visitor', {}, {});
  expect(await readBrand()).toMatchObject({ ok: false });
});

test.fails('an answer that the protocol does not know fails the test', async () => {
  const wrong = { brand, online: true, mood: 'good' };
  fakeGateway('visitor', { readBrand: wrong }, {});
  expect(await readBrand()).toMatchObject({ ok: true });
});

test.fails('an invalid answer fails the test', async () => {
  fakeGateway('visitor', { readBrand: { brand, online: 'yes' } } as unknown as Answers, {});
  expect(await readBrand()).toMatchObject({ ok: false });
});

test.fails('an invalid request fails the test', async () => {
  fakeGateway('staff', { setAvailability: { away: true } }, {});
  const setAway = createApi(calls, {})('setAvailability', { body: { away: 'yes' } as never });
  expect(await setAway).toMatchObject({ ok: true });
});

test.fails('an invalid frame fails the test', async () => {
  const { gateway } = await renderConsole();
  expect(gateway.openSockets()).toBe(1);
  gateway.push({ type: 'visitors', here: ['no UUID'], left: [] });
});

test('an emulated touch screen …', async () => {
  await emulateTouch();
  await expect.poll(isTouch).toBe(true);
  await emulateMedia({ 'forced-colors': 'active' });
  expect(matchMedia('(forced-colors: active)').matches).toBe(true);
});

test('… ends with its test', () => {
  expect(isTouch()).toBe(false);
  expect(matchMedia('(hover: hover)').matches).toBe(true);
  expect(matchMedia('(forced-colors: active)').matches).toBe(false);
  expect(matchMedia('(prefers-reduced-motion: reduce)').matches).toBe(true);
});
