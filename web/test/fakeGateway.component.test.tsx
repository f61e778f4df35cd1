import { calls } from '@settee/protocol/calls/http';
import { expect, test } from 'vitest';
import { createApi } from '../src/net/api.ts';
import { type Answers, fakeGateway } from './fakeGateway.ts';
import { renderConsole } from './renderConsole.tsx';

const brand = { displayName: 'Settee', avatarUrl: null, verified: true, updatedAt: 0 };
const readBrand = () => createApi(calls, {})('readBrand', {});

test.fails('a request without an answer fails the test', async () => {
  fakeGateway('visitor', {}, {});
  expect(await readBrand()).toMatchObject({ ok: false });
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
