import type { Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { type Written, writeHistory } from './database.ts';
import { bubbles, chatOfTwo, expectTexts, holdLine, pxFromEnd, send, startChat } from './people.ts';
import { expect, test } from './watched.ts';

const tall = (text: string) => `${text}${'\n.'.repeat(18)}`;

/** Messages from the handler, one per minute, the last one now. */
const said = (what: string, count: number): Written[] =>
  Array.from({ length: count }, (_, i) => ({
    from: 'owner',
    text: `${what} ${i + 1}`,
    at: new Date(Date.now() - (count - i) * 60_000),
  }));

async function fillScreen(page: Page): Promise<void> {
  for (const text of ['one', 'two', 'three', 'four']) await send(page, tall(text));
  await expect(bubbles(page)).toHaveCount(4);
  await expect(page.getByText(/^(Sent|Seen)/)).toBeVisible();
}

test('[V-05] [V-10] [V-20] the chat shows banner, header, an empty list and the composer, in a column of 700 px', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(createInvite(createHandler().alias));
  await page.getByRole('button', { name: 'Start chat' }).click();
  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.getByRole('log')).toHaveCount(0);
  await page.getByLabel('Display Name').fill('Jonas');
  await page.getByRole('button', { name: 'Start Chatting' }).click();
  await expect(page.getByText('Start the conversation', { exact: true })).toBeVisible();
  const order = await page.evaluate(() =>
    ['aside', 'header', '[role=log]', 'textarea'].map((part) =>
      document.querySelector(part)?.getBoundingClientRect(),
    ),
  );
  const tops = order.map((box) => box?.top ?? -1);
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  for (const box of order) expect(box?.width ?? 0).toBeLessThanOrEqual(700);
  expect(order[0]?.width).toBeGreaterThan(690);
});

test('[V-11] bouncing dots while the messages load', async ({ page }) => {
  await startChat(page, createInvite(createHandler().alias), 'Jonas');
  await send(page, 'hello');
  await expect(page.getByText('Sent')).toBeVisible();
  const line = await holdLine(page);
  line.onDown = (frame) => (frame.includes('"type":"watched"') ? undefined : frame);
  await page.reload();
  const loader = page.getByRole('status').filter({ hasText: 'Loading messages...' });
  await expect(loader).toBeVisible();
  expect(await loader.locator('i').count()).toBe(3);
  expect(
    await loader
      .locator('i')
      .first()
      .evaluate((dot) => getComputedStyle(dot).animationName),
  ).toMatch(/bounce/);
  line.onDown = (frame) => frame;
  await line.cut();
  await line.mend();
  await expectTexts(page, ['hello']);
  await expect(loader).toHaveCount(0);
});

test('[V-12] [MSG-30] the list follows the newest message within 100 px of the end, and not otherwise', async ({
  browser,
}) => {
  const { visitor, desk } = await chatOfTwo(browser, 'Mia');
  await fillScreen(visitor);
  const log = visitor.getByRole('log');
  expect(await pxFromEnd(visitor)).toBeLessThan(1);

  await log.evaluate((element) => element.scrollBy(0, -95));
  await send(desk, 'followed');
  await expect(bubbles(visitor).getByText('followed')).toBeInViewport();
  expect(await pxFromEnd(visitor)).toBeLessThan(1);

  await log.evaluate((element) => element.scrollBy(0, -160));
  const before = await log.evaluate((element) => element.scrollTop);
  await send(desk, 'not followed');
  await send(desk, 'nor this');
  const pill = visitor.getByRole('button', { name: '2 new messages' });
  await expect(pill).toBeVisible();
  expect((await pill.boundingBox())?.height).toBe(44);
  expect(await log.evaluate((element) => element.scrollTop)).toBe(before);
  await expect(desk.getByText('Seen')).toHaveCount(0);
  await pill.click();
  expect(await pxFromEnd(visitor)).toBeLessThan(1);
  await expect(pill).toHaveCount(0);
  await expect(desk.getByText('Seen')).toBeVisible();

  await log.evaluate((element) => element.scrollBy(0, -400));
  await send(visitor, 'own words always show');
  await expect.poll(() => pxFromEnd(visitor)).toBeLessThan(1);
});

test('[V-15] hover shows the time and Copy, which copies', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await startChat(page, createInvite(createHandler().alias), 'Jonas');
  for (const text of ['first', 'second']) await send(page, text);
  await expect(page.getByText('Sent')).toBeVisible();
  const first = bubbles(page).first();
  const tools = first.locator('time').locator('..');
  await expect(tools).toHaveCSS('opacity', '0');
  await first.hover();
  await expect(tools).toHaveCSS('opacity', '1');
  await expect(first.locator('time')).toHaveText(/^\d\d:\d\d$/);
  await first.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByText('Copied', { exact: true })).toBeAttached();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('first');

  // The keyboard reaches Copy of the newest message, then moves with the arrows.
  await page.mouse.move(0, 0);
  await page.getByRole('button', { name: 'Send an image' }).focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('second');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('first');
});

test('[V-15] a tap shows the time and Copy, a second tap hides them', async ({ browser }) => {
  const context = await browser.newContext({
    hasTouch: true,
    isMobile: true,
    viewport: { width: 360, height: 740 },
  });
  const page = await context.newPage();
  await startChat(page, createInvite(createHandler().alias), 'Jonas');
  await send(page, 'a message as long as a line can be before it breaks');
  await send(page, 'short');
  await expect(page.getByText('Sent')).toBeVisible();
  const first = bubbles(page).first();
  const tools = first.locator('time').locator('..');
  await expect(tools).toHaveCSS('opacity', '0');
  await first.locator('p').tap();
  await expect(tools).toHaveCSS('opacity', '1');
  const box = await tools.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  await first.locator('p').tap();
  await expect(tools).toHaveCSS('opacity', '0');
});

test('[E-11] a copy that the browser forbids is logged and not shown as copied', async ({ page }) => {
  const logged: string[] = [];
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()));
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('forbidden'));
  });
  await startChat(page, createInvite(createHandler().alias), 'Jonas');
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect.poll(() => logged.join()).toContain('copy: Error: forbidden');
  await expect(page.getByText('Code copied!')).toHaveCount(0);
});

test('[MSG-36] [MSG-37] [MSG-38] links, emoji, right-to-left text and long words', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await startChat(page, createInvite(createHandler().alias), 'Jonas');
  await send(page, 'see https://club.example/a?b=c. <b>not bold</b>');
  await send(page, '😮🎉');
  await send(page, 'שלום hello');
  await send(page, 'x'.repeat(300));
  await expect(page.getByText('Sent')).toBeVisible();
  const link = page.getByRole('link', { name: 'https://club.example/a?b=c' });
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  await expect(link).toHaveAttribute('target', '_blank');
  await expect(link).toHaveCSS('text-decoration-line', 'underline');
  await expect(page.getByText('<b>not bold</b>')).toBeVisible();
  const emoji = bubbles(page).nth(1).locator('p').first();
  await expect(emoji).toHaveCSS('font-size', '44px');
  await expect(emoji).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  await expect(bubbles(page).nth(2).locator('p > span').first()).toHaveCSS('direction', 'rtl');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  const log = page.getByRole('log');
  expect(await log.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
});

test('[MSG-29] after an absence the chat opens at the first unread message, and the line stays in place', async ({
  browser,
}) => {
  const { visitor, desk, invite } = await chatOfTwo(browser, 'Noor');
  await visitor.goto('about:blank');
  // The unread messages fill more than one page of history.
  await writeHistory(invite, [...said('old', 20), ...said('news', 60)], { visitor: 60 });
  await visitor.goto(invite);
  const line = visitor.getByText('New', { exact: true });
  await expect(line).toBeInViewport();
  await expect(visitor.getByText('news 1', { exact: true })).toBeInViewport();
  await expect(visitor.getByText('old 20', { exact: true })).toBeInViewport();
  await expect(visitor.getByText('news 60', { exact: true })).not.toBeInViewport();
  await expect(visitor.getByRole('button', { name: /new messages$/ })).toBeVisible();
  // Before the next sweep, a reply would be outdated.
  await desk.reload();
  await expect(bubbles(desk).getByText('news 60', { exact: true })).toBeVisible();
  await send(desk, 'one more');
  await expect(bubbles(visitor).getByText('one more')).toBeAttached();
  await expect(line).toBeInViewport();
  await visitor.getByRole('button', { name: /new messages$/ }).click();
  await expect(bubbles(visitor).getByText('one more')).toBeInViewport();
  await expect(line).toHaveCount(1);
  await expect(desk.getByText(/^Seen/)).toBeVisible();
  await visitor.reload();
  await expect(bubbles(visitor).getByText('one more')).toBeInViewport();
  await expect(line).toHaveCount(0);
});

test('[MSG-29] returning to the tab shows the line above the new messages', async ({ browser }) => {
  const { visitor, desk } = await chatOfTwo(browser, 'Noor');
  await send(desk, 'before');
  await expect(bubbles(visitor)).toHaveCount(1);
  await expect(desk.getByText(/^Seen/)).toBeVisible();
  // The test browsers never hide a tab, so the test fakes the visibility.
  const become = (state: string) =>
    visitor.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  await become('hidden');
  await send(desk, 'meanwhile');
  await expect(bubbles(visitor)).toHaveCount(2);
  await expect(desk.getByText(/^Sent/)).toBeVisible();
  await expect(visitor.getByText('New', { exact: true })).toHaveCount(0);
  await become('visible');
  await expect(visitor.getByText('New', { exact: true })).toBeVisible();
  await expect(desk.getByText(/^Seen/)).toBeVisible();
});

test('[MSG-29] the chat opens even when older pages cannot be loaded', async ({ browser }) => {
  const { visitor, invite } = await chatOfTwo(browser, 'Noor');
  await visitor.goto('about:blank');
  await writeHistory(invite, said('news', 60), { visitor: 60 });
  await visitor.route('**/messages?*', (route) => route.abort());
  await visitor.goto(invite);
  await expect(visitor.getByText('news 11', { exact: true })).toBeInViewport();
  await expect(visitor.getByText('New', { exact: true })).toBeInViewport();
});

for (const from of [600, 0]) {
  test(`[MSG-32] older pages do not move what is being read, ${from} px below the top`, async ({
    browser,
  }) => {
    const { visitor, invite } = await chatOfTwo(browser, 'Noor');
    await visitor.goto('about:blank');
    await writeHistory(invite, said('old', 120));
    await visitor.goto(invite);
    await expect(visitor.getByText('old 120')).toBeInViewport();
    const log = visitor.getByRole('log');
    const moved = await log.evaluate(async (element, start) => {
      const frame = () => new Promise(requestAnimationFrame);
      const bubbles = () => [...element.querySelectorAll<HTMLElement>('[data-side]')];
      const count = bubbles().length;
      element.scrollTo(0, start);
      await frame();
      const held = bubbles().find(({ offsetTop }) => offsetTop > element.scrollTop);
      const top = () => held?.getBoundingClientRect().top ?? Number.NaN;
      const before = top();
      while (bubbles().length === count) await frame();
      await frame();
      return { by: top() - before, more: bubbles().length - count };
    }, from);
    expect(moved.more).toBe(50);
    expect(Math.abs(moved.by)).toBeLessThanOrEqual(1);
  });
}

test('[MSG-15] the newest own message shows Sending..., Sent, or Seen with the time', async ({ browser }) => {
  const { visitor, desk } = await chatOfTwo(browser, 'Tom');
  await desk.goto('about:blank');
  const line = await holdLine(visitor);
  line.onUp = (frame) => (frame.includes('"type":"send"') ? undefined : frame);
  await visitor.reload();
  await expect(visitor.getByText('Start the conversation', { exact: true })).toBeVisible();
  await send(visitor, 'are you there?');
  await expect(visitor.getByText('Sending...')).toBeVisible();
  line.onUp = (frame) => frame;
  await line.cut();
  await line.mend();
  await expect(visitor.getByText('Sent', { exact: true })).toBeVisible();
  await desk.goto('/handler');
  await desk.getByRole('link', { name: /Tom/ }).click();
  await expect(visitor.getByText(/^Seen \d\d:\d\d$/)).toBeVisible();
});

test('[MSG-24] [MSG-25] typing shows as dots on the other side, and ends automatically', async ({
  browser,
}) => {
  const { visitor, desk } = await chatOfTwo(browser, 'Sara');
  const typing = visitor.getByText('is typing');
  await expect(async () => {
    await desk.getByPlaceholder('Type your message...').press('h');
    await expect(typing).toBeAttached({ timeout: 500 });
  }).toPass();
  await expect(typing).toHaveCount(0, { timeout: 8_000 });
});

test('[A11Y-13] a screen reader announces incoming messages with the sender, never the history or own messages', async ({
  browser,
}) => {
  const { visitor, desk, invite } = await chatOfTwo(browser, 'Lin');
  await visitor.goto('about:blank');
  await writeHistory(invite, said('old', 3));
  await visitor.goto(invite);
  await expect(visitor.getByText('old 3', { exact: true })).toBeVisible();
  const spoken = visitor.locator('[aria-live=polite]');
  await expect(visitor.getByRole('log')).toHaveAttribute('aria-live', 'off');
  await send(visitor, 'own words');
  await expect(bubbles(desk).getByText('own words')).toBeVisible();
  await send(desk, 'hello Lin');
  await expect(spoken).toHaveText(/Settee: hello Lin$/);
  await send(desk, 'and again');
  await expect(spoken).toHaveText(/Settee: and again$/);
});
