import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../tools/freePorts.ts';
import { drawing } from '../gallery/drawings.ts';
import { createHandler, createInvite } from '../product/accounts.ts';
import { conversationOf, storedTexts } from '../product/database.ts';
import { expectImages, pick } from '../product/images.ts';
import { startBadLine } from '../product/network.ts';
import { startGateway } from '../product/ownInstallation.ts';
import {
  bubbles,
  enterConsole,
  expectTexts as expectPageTexts,
  send as sendOnPage,
  startChatWithForms,
} from '../product/people.ts';
import { expect } from '../product/watched.ts';
import {
  expectText,
  expectTexts,
  field,
  focused,
  keys,
  send,
  startChat,
  test,
  type WebKit,
} from './webKit.ts';

/** The number of pictures in the thread that are drawn, not only placed. */
const drawnImages = (window: WebKit) =>
  window.evaluate(
    () =>
      [...document.querySelectorAll<HTMLImageElement>('[role=log] [data-seq] button[data-image] img')].filter(
        ({ naturalWidth, src }) => naturalWidth > 0 && !src.startsWith('data:'),
      ).length,
  );

test('a visitor in WebKit: link, name, messages and images in both directions, reload, right-to-left text', async ({
  newWindow,
  page: desk,
  baseURL,
}) => {
  const handler = createHandler();
  const invite = createInvite(handler.alias);
  const visitor = await newWindow();
  await startChat(visitor, `${baseURL}${invite}`, 'Jonas Weber');
  await expect.poll(() => focused(visitor)).toBe('Message...');
  await send(visitor, 'How did the reading in Lyon land?');
  await expectText(visitor, 'Sent');

  await enterConsole(desk, handler, `/handler/conversation/${await conversationOf(invite)}`);
  await expectPageTexts(desk, ['How did the reading in Lyon land?']);
  await sendOnPage(desk, 'They loved it.');
  await expectTexts(visitor, ['How did the reading in Lyon land?', 'They loved it.']);
  await expect(desk.getByText('Seen')).toBeVisible();

  const letter = await drawing('letter', 'letter.jpg');
  writeFileSync(join(visitor.folder, letter.name), letter.buffer);
  await visitor.type('input[type=file]', join(visitor.folder, letter.name));
  await expectText(visitor, 'letter.jpg');
  await visitor.press(keys.enter);
  await expectImages(desk, 'in', 1);
  await pick(desk, await drawing('lighthouse', 'lighthouse.jpg'));
  await desk.getByPlaceholder('Type your message...').press('Enter');
  await expectImages(desk, 'out', 1);
  await expect.poll(() => drawnImages(visitor), { timeout: 60_000 }).toBe(2);

  await sendOnPage(desk, 'مرحبا! كتب لي مترجمك أيضا');
  const all = ['How did the reading in Lyon land?', 'They loved it.', 'مرحبا! كتب لي مترجمك أيضا'];
  await expectTexts(visitor, all);
  await visitor.reload();
  await expectTexts(visitor, all);
  await expect.poll(() => drawnImages(visitor), { timeout: 60_000 }).toBe(2);
  const directions = await visitor.evaluate(() =>
    [...document.querySelectorAll('[role=log] span[dir=auto]')].map(
      (words) => getComputedStyle(words).direction,
    ),
  );
  expect(directions).toEqual(['ltr', 'ltr', 'rtl']);
});

test('without a network, WebKit keeps what was typed, also across a reload, and sends it once, in order', async ({
  newWindow,
}) => {
  const port = await freePort();
  const line = await startBadLine({ to: `http://localhost:${port}` });
  const url = line.url.replace('127.0.0.1', 'localhost');
  const gateway = await startGateway({ PORT: String(port), PUBLIC_URL: url });
  try {
    const invite = createInvite(createHandler().alias);
    const visitor = await newWindow();
    await startChat(visitor, `${url}${invite}`, 'Tom');
    await send(visitor, 'zero');
    await expectText(visitor, 'Sent');
    await visitor.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await expect
      .poll(() => visitor.evaluate(() => navigator.serviceWorker.controller?.state))
      .toBe('activated');

    line.refuse();
    for (const text of ['one', 'two', 'three']) await send(visitor, text);
    await expectText(visitor, 'Connecting...');
    await visitor.reload();
    await expectTexts(visitor, ['one', 'two', 'three']);
    expect(await storedTexts(invite)).toEqual(['zero']);

    line.accept();
    await expectTexts(visitor, ['zero', 'one', 'two', 'three']);
    await expectText(visitor, 'Sent');
    expect(await storedTexts(invite)).toEqual(['zero', 'one', 'two', 'three']);
  } finally {
    line.close();
    await gateway.stop();
  }
});

test('a handler in WebKit signs in, answers by keyboard, uses the palette, closes the chat and signs out', async ({
  newWindow,
  page: visitor,
  baseURL,
}) => {
  const handler = createHandler();
  const invite = createInvite(handler.alias);
  await startChatWithForms(visitor, invite, 'Jonas Weber');
  await sendOnPage(visitor, 'Is this really you?');

  const desk = await newWindow();
  await desk.resize(1_280, 900);
  await desk.goto(`${baseURL}/handler`);
  await desk.type(field('Email address'), handler.email);
  await desk.type(field('Password'), handler.password);
  await desk.press(keys.enter);
  await expectText(desk, 'My Queue (1)');
  await desk.press(keys.alt, keys.down);
  await expectTexts(desk, ['Is this really you?']);
  await expect.poll(() => focused(desk)).toBe('Type your message...');
  await send(desk, 'It is us, yes.');
  await expect(bubbles(visitor, 'in')).toHaveText([/It is us, yes\./]);
  await sendOnPage(visitor, 'Thank you.');
  await expectTexts(desk, ['Is this really you?', 'It is us, yes.', 'Thank you.']);

  await desk.press(keys.control, 'e');
  await expectText(desk, 'Closed the chat with Jonas Weber.');
  await expect(visitor.getByText('This conversation was closed.')).toBeVisible();
  await desk.press(keys.control, 'k');
  await expect.poll(() => desk.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox');
  for (const letter of 'sign out') await desk.press(letter);
  await expect
    .poll(() => desk.evaluate(() => document.querySelector('[role=option][aria-selected=true]')?.textContent))
    .toContain('Sign Out');
  await desk.press(keys.enter);
  await expectText(desk, 'Sign in to Handler Console');
});
