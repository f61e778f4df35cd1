import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, firefox } from '@playwright/test';
import { freePort } from '../../tools/freePorts.ts';
import { drawing } from '../gallery/drawings.ts';
import { conversation } from '../gallery/stage.ts';
import { createHandler, createInvite } from '../product/accounts.ts';
import { conversationOf, storedTexts, writeHistory } from '../product/database.ts';
import { expectImages, pick } from '../product/images.ts';
import { startBadLine } from '../product/network.ts';
import { startGateway } from '../product/ownInstallation.ts';
import {
  bubbles,
  claimInvite,
  enterConsole,
  expectTexts as expectPageTexts,
  newPerson,
  send as sendOnPage,
  startChatWithForms,
} from '../product/people.ts';
import { expect } from '../product/watched.ts';
import { firefoxLaunch } from './firefox.ts';
import {
  button,
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

test('a second window of WebKit joins with the code, and both show the same', async ({
  newWindow,
  baseURL,
}) => {
  const invite = `${baseURL}${createInvite(createHandler().alias)}`;
  const first = await newWindow();
  await startChat(first, invite, 'Mia');
  await send(first, 'from the first device');
  await expectText(first, 'Continue on another device:');
  const code = /Continue on another device:\s*(\d{4})/.exec(
    await first.evaluate(() => document.body.innerText),
  )?.[1];
  const second = await newWindow();
  await startChat(second, invite, 'Mia');
  await second.type('#code', code ?? '');
  await expectTexts(second, ['from the first device']);
  await expectText(first, 'Another device joined');
  await send(second, 'from the second device');
  for (const each of [first, second])
    await expectTexts(each, ['from the first device', 'from the second device']);
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

const ARABIC = 'مرحبا! كتب لي مترجمك أيضا: https://example.org/ar';
const LAST = 'Thank you. That is all I wanted to know.';
/** Fonts are drawn and rounded differently, and only Firefox's scrollbar (6 px) takes space here. */
const TOLERANCE_PX = 8;

type Box = { what: string; left: number; right: number; height: number };

/** The places of the header, the composer and every bubble. */
function boxes(): Box[] {
  const parts: [string, Element[]][] = [
    ['header', [...document.querySelectorAll('header')]],
    ['composer', [...document.querySelectorAll('form:has(textarea)')]],
    ['field', [...document.querySelectorAll('textarea')]],
    // Arabic letters come from a font of the system.
    [
      'bubble',
      [...document.querySelectorAll('[role=log] [data-side] div > p:first-child')].filter(
        ({ textContent }) => !/\p{Script=Arabic}/u.test(textContent),
      ),
    ],
  ];
  return parts.flatMap(([kind, elements]) =>
    elements.map((element, index) => {
      const { left, right, height } = element.getBoundingClientRect();
      return { what: `${kind} ${index}`, left, right, height };
    }),
  );
}

/** The texts that run from right to left. */
function rightToLeft(): string[] {
  return [...document.querySelectorAll('[role=log] span[dir=auto]')]
    .filter((words) => getComputedStyle(words).direction === 'rtl')
    .map((words) => words.textContent ?? '');
}

/** The chat stays at its last message at every width. */
function pxFromEnd(): number {
  const log = document.querySelector('[role=log]') as HTMLElement;
  return Math.round(log.scrollHeight - log.clientHeight - log.scrollTop);
}

/** Where a box differs from Chromium's by more than the tolerance. */
function differences(engine: string, own: Box[], chromium: Box[]): string[] {
  if (own.length !== chromium.length) return [`${engine}: ${own.length} boxes, not ${chromium.length}`];
  return own.flatMap((box, index) =>
    (['left', 'right', 'height'] as const).flatMap((side) => {
      const other = chromium[index]?.[side] ?? Number.NaN;
      const apart = Math.abs(box[side] - other);
      return apart <= TOLERANCE_PX ? [] : [`${engine}: ${box.what} ${side} ${box[side]}, not ${other}`];
    }),
  );
}

type Engine = {
  name: string;
  evaluate<Result>(work: () => Result): Promise<Result>;
  resize(width: number, height: number): Promise<void>;
};

async function inPlaywright(name: string, browser: Browser, baseURL = ''): Promise<Engine> {
  const { page } = await newPerson(browser, { baseURL, locale: 'en-GB' });
  const invite = createInvite(createHandler().alias);
  await claimInvite(page, invite, 'Jonas Weber');
  await writeHistory(invite, conversation());
  await page.goto(invite);
  await expect(page.getByText(LAST)).toBeVisible();
  return {
    name,
    evaluate: async (work) => page.evaluate(work),
    resize: (width, height) => page.setViewportSize({ width, height }),
  };
}

async function inWebKit(window: WebKit, baseURL = ''): Promise<Engine> {
  const invite = createInvite(createHandler().alias);
  await startChat(window, `${baseURL}${invite}`, 'Jonas Weber');
  await window.click(button('Dismiss'));
  await writeHistory(invite, conversation());
  await window.reload();
  await expectText(window, LAST);
  return {
    name: 'WebKit',
    evaluate: (work) => window.evaluate(work),
    resize: (width, height) => window.resize(width, height),
  };
}

test('the visitor’s page has the same layout in Chromium, Firefox and WebKit, on a phone and on a desktop, also right-to-left text', async ({
  browser,
  newWindow,
  baseURL,
}) => {
  const fox = await firefox.launch({ channel: 'moz-firefox', ...firefoxLaunch });
  try {
    const chromium = await inPlaywright('Chromium', browser, baseURL);
    const others = [await inPlaywright('Firefox', fox, baseURL), await inWebKit(await newWindow(), baseURL)];
    const all = [chromium, ...others];
    for (const { name, evaluate } of all) expect(await evaluate(rightToLeft), name).toEqual([ARABIC]);
    const differencesNow = async (): Promise<string[]> => {
      const places = await chromium.evaluate(boxes);
      const wrong: string[] = [];
      for (const { name, evaluate } of others)
        wrong.push(...differences(name, await evaluate(boxes), places));
      for (const { name, evaluate } of all) {
        const px = await evaluate(pxFromEnd);
        if (px > 1) wrong.push(`${name}: ${px} px from the end`);
      }
      return wrong;
    };
    for (const [width, height] of [
      [390, 844],
      [1_280, 900],
    ] as const) {
      for (const { resize } of all) await resize(width, height);
      // A list follows a new size one frame later.
      await expect.poll(differencesNow, `at ${width} px`).toEqual([]);
    }
  } finally {
    await fox.close();
  }
});
