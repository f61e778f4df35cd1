import { calls } from '@settee/protocol/calls/http';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { expect, test } from 'vitest';
import { isTouch } from '../src/browser/isTouch.ts';
import { createApi } from '../src/net/api.ts';
import { aChat } from './aDesk.ts';
import { emulateMedia, emulateTouch } from './emulate.ts';
import { addMessage } from './fakeChats.ts';
import { type Answers, fakeGateway, lost, Refused } from './fakeGateway.ts';
import { idOf } from './idOf.ts';
import { renderAdmin } from './renderAdmin.tsx';
import { renderConsole } from './renderConsole.tsx';
import { renderVisitor } from './renderVisitor.tsx';

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
  await readBrand();
});

test.fails('an answer that the protocol does not know fails the test', async () => {
  const wrong = { brand, online: true, mood: 'good' };
  fakeGateway('visitor', { readBrand: wrong }, {});
  await readBrand();
});

test.fails('an invalid answer fails the test', async () => {
  fakeGateway('visitor', { readBrand: { brand, online: 'yes' } } as unknown as Answers, {});
  await readBrand();
});

test.fails('an invalid request fails the test', async () => {
  fakeGateway('staff', { setAvailability: { away: true } }, {});
  await createApi(calls, {})('setAvailability', { body: { away: 'yes' } as never });
});

test.fails('an invalid frame fails the test', async () => {
  const { gateway } = await renderConsole();
  gateway.push({ type: 'visitors', here: ['no UUID'], left: [] });
});

test('a visitor and the desk can write, and a lost connection returns', async () => {
  const { screen, gateway, chat } = await renderVisitor({ messages: ['Hello'] });
  await screen.getByPlaceholder('Message...').fill('Are you there?');
  await screen.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(() => gateway.received('send')).toHaveLength(1);
  gateway.push({ type: 'message', message: addMessage(chat, { sender: 'owner', text: 'I am here.' }) });
  await expect.element(screen.getByText('I am here.')).toBeVisible();
  gateway.drop();
  expect(gateway.openSockets()).toBe(0);
  addMessage(chat, { sender: 'owner', text: 'Written meanwhile.' });
  gateway.restore();
  await expect.element(screen.getByText('Written meanwhile.')).toBeVisible();
});

test('a handler opens a chat and answers', async () => {
  const { screen, chats } = await renderConsole({ chats: [aChat('Jonas Weber'), aChat('Adaeze Obi')] });
  await screen.getByRole('link', { name: /Adaeze Obi/ }).click();
  await expect.poll(() => location.pathname).toBe(`/handler/conversation/${idOf('Adaeze Obi')}`);
  await screen.getByPlaceholder(consoleTexts.staffPlaceholder).fill('Good morning');
  await screen.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(() => chats[1]?.messages.at(-1)?.text).toBe('Good morning');
});

test('every page of the admin area has the answers that it needs', async () => {
  for (const path of [
    'dashboard',
    'conversations',
    'invites',
    'handlers',
    'hours',
    'profile',
    'audit',
    'security',
  ]) {
    const { screen } = await renderAdmin({ path: `/admin/${path}` });
    await expect.element(screen.getByRole('heading', { level: 1 }).first()).toBeVisible();
    expect(location.pathname).toBe(`/admin/${path}`);
    await screen.unmount();
  }
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
