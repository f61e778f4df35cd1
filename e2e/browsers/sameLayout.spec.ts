import { join } from 'node:path';
import { type Browser, firefox, type Page } from '@playwright/test';
import sharp from 'sharp';
import { conversation } from '../gallery/stage.ts';
import { createHandler, createInvite } from '../product/accounts.ts';
import { writeHistory } from '../product/database.ts';
import { claimInvite, newPerson } from '../product/people.ts';
import { expect } from '../product/watched.ts';
import { firefoxLaunch } from './firefox.ts';
import type { WebKit } from './webDriver.ts';
import { button, expectText, startChat, test } from './webKit.ts';

const ENGINES = ['Chromium', 'Firefox', 'WebKit'];
const ARABIC = 'مرحبا! كتب لي مترجمك أيضا: https://example.org/ar';
const LAST = 'Thank you. That is all I wanted to know.';
/** Fonts are drawn and rounded differently, and only Firefox's scrollbar (6 px) takes space here. */
const TOLERANCE_PX = 8;

const PICTURE_WIDTH_PX = 2_000;
const PICTURES = join(import.meta.dirname, '../../docs/pictures');

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

async function openWithPlaywright(browser: Browser, baseURL = ''): Promise<Page> {
  const { page } = await newPerson(browser, { baseURL, locale: 'en-GB' });
  const invite = createInvite(createHandler().alias);
  await claimInvite(page, invite, 'Jonas Weber');
  await writeHistory(invite, conversation());
  await page.goto(invite);
  await expect(page.getByText(LAST)).toBeVisible();
  return page;
}

async function openInWebKit(window: WebKit, baseURL = ''): Promise<void> {
  const invite = createInvite(createHandler().alias);
  await startChat(window, `${baseURL}${invite}`, 'Jonas Weber');
  await window.click(button('Dismiss'));
  await writeHistory(invite, conversation());
  await window.reload();
  await expectText(window, LAST);
}

test('the visitor’s page has the same layout in Chromium, Firefox and WebKit, on a phone and on a desktop, also right-to-left text', async ({
  browser,
  newWindow,
  baseURL,
}, testInfo) => {
  const fox = await firefox.launch({ channel: 'moz-firefox', ...firefoxLaunch });
  try {
    const webkit = await newWindow();
    await openInWebKit(webkit, baseURL);
    const pages = [await openWithPlaywright(browser, baseURL), await openWithPlaywright(fox, baseURL)];
    const arabic = await Promise.all([
      ...pages.map((page) => page.evaluate(rightToLeft)),
      webkit.evaluate(rightToLeft),
    ]);
    expect(arabic).toEqual([[ARABIC], [ARABIC], [ARABIC]]);
    const wrong: string[] = [];
    for (const [width, height] of [
      [390, 844],
      [1_280, 900],
    ] as const) {
      await webkit.resize(width, height);
      for (const page of pages) await page.setViewportSize({ width, height });
      const measure = async () => {
        const fromEnd = await Promise.all([
          ...pages.map((page) => page.evaluate(pxFromEnd)),
          webkit.evaluate(pxFromEnd),
        ]);
        const [chromium = [], ours = []] = await Promise.all(pages.map((page) => page.evaluate(boxes)));
        return [
          ...fromEnd.flatMap((px, index) =>
            px <= 1 ? [] : [`${ENGINES[index]}, ${width} px: ${px} px from the end`],
          ),
          ...differences(`Firefox, ${width} px`, ours, chromium),
          ...differences(`WebKit, ${width} px`, await webkit.evaluate(boxes), chromium),
        ];
      };
      // A list follows a new size one frame later.
      await expect
        .poll(measure)
        .toEqual([])
        .catch(() => {});
      wrong.push(...(await measure()));
      const shots = [
        ...(await Promise.all(pages.map((page) => page.screenshot()))),
        await webkit.screenshot(),
      ];
      const picture = await sideBySide(shots, width, height);
      await sharp(picture).toFile(testInfo.outputPath(`browsers-${width}.png`));
      // `--update-snapshots` takes the pictures of docs/browsers.md.
      if (testInfo.config.updateSnapshots !== 'missing')
        await sharp(picture)
          .resize({ width: PICTURE_WIDTH_PX, withoutEnlargement: true })
          .webp({ quality: 80, effort: 6, smartSubsample: true })
          .toFile(join(PICTURES, `browsers-${width}.webp`));
    }
    expect(wrong).toEqual([]);
  } finally {
    await fox.close();
  }
});

/** Chromium, Firefox and WebKitGTK, from left to right. */
function sideBySide(shots: Buffer[], width: number, height: number): Promise<Buffer> {
  const gap = 16;
  return sharp({
    create: { width: 3 * width + 2 * gap, height, channels: 3, background: '#888' },
  })
    .composite(shots.map((input, index) => ({ input, left: index * (width + gap), top: 0 })))
    .png()
    .toBuffer();
}
