import type { Locator, Page } from '@playwright/test';
import { createHandler, type Handler } from './accounts.ts';
import { makeConversations } from './database.ts';
import { enterConsole, holdLine, signIn } from './people.ts';
import { expect, test } from './watched.ts';

async function openChat(desk: Page): Promise<Handler> {
  const handler = createHandler();
  const [id] = await makeConversations(handler.alias, [
    { name: 'Jonas Weber', text: 'May I read it to them tomorrow?', minutesAgo: 1 },
  ]);
  await enterConsole(desk, handler, `/handler/conversation/${id}`);
  await expect(desk.getByRole('heading', { name: 'Jonas Weber' })).toBeVisible();
  await expect(desk.getByRole('log')).toContainText('May I read it to them tomorrow?');
  return handler;
}

const heightOf = async (element: Locator) => (await element.boundingBox())?.height ?? 0;
const header = (desk: Page) => desk.locator('header').filter({ hasText: 'Chat with' });
const field = (desk: Page) => desk.getByPlaceholder('Type your message...');

test('[CONSOLE-04] on a phone the header is one row, the composer one line, and the messages get the rest', async ({
  browser,
}) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const desk = await context.newPage();
  const { alias } = await openChat(desk);
  await expect.poll(() => heightOf(header(desk))).toBeLessThanOrEqual(57);
  await expect.poll(() => heightOf(desk.getByRole('log'))).toBeGreaterThanOrEqual(0.6 * 844);
  const composer = desk.locator('form');
  await expect.poll(() => heightOf(composer)).toBeLessThanOrEqual(61);
  // The keyboard hint is hidden, but a screen reader still reads it.
  await expect(composer.getByText('Press Enter to send').first()).toBeHidden();
  await expect(field(desk)).toHaveAccessibleDescription('Press Enter to send, Shift+Enter for new line');

  for (const name of ['Back to Queue', 'Notifications', 'More']) {
    const box = await header(desk).getByRole('button', { name }).boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0), name).toBeGreaterThanOrEqual(44);
  }
  await header(desk).getByRole('button', { name: 'More' }).click();
  await expect(desk.getByRole('menuitem')).toHaveText([
    'Close',
    'Hand over',
    'Mark unread',
    'Snooze',
    'Details',
    'Block',
    new RegExp(`Sign Out.*${alias}`),
  ]);
  for (const item of await desk.getByRole('menuitem').all()) {
    // The menu may still be opening.
    await expect.poll(() => heightOf(item)).toBeGreaterThanOrEqual(44);
  }
  await desk.keyboard.press('Escape');

  // It grows on focus, with the switch in a row below the text.
  await field(desk).tap();
  await expect.poll(() => heightOf(composer)).toBeGreaterThan(80);
  await desk.getByRole('tab', { name: 'Note' }).tap();
  await expect(desk.getByPlaceholder('Write a note that only staff see...')).toBeFocused();
  await expect(desk.getByText('Only staff see this', { exact: true }).first()).toBeVisible();
  await desk.getByRole('tab', { name: 'Reply' }).tap();
  await expect(field(desk)).toBeFocused();
});

for (const [width, height] of [
  [320, 256],
  [390, 330],
  [1280, 256],
] as const) {
  test(`[CONSOLE-05] at ${width} × ${height} px messages and composer can be read and used`, async ({
    browser,
  }) => {
    const desk = await browser.newPage({ viewport: { width, height } });
    await openChat(desk);
    for (const focused of [true, false]) {
      if (focused) await field(desk).focus();
      else await desk.getByRole('log').focus();
      await expect.poll(() => heightOf(desk.getByRole('log'))).toBeGreaterThanOrEqual(96);
      await desk.getByRole('button', { name: 'Send', exact: true }).scrollIntoViewIfNeeded();
      await expect(desk.getByRole('button', { name: 'Send', exact: true })).toBeInViewport({ ratio: 1 });
    }
    expect(await desk.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
}

test('[CONSOLE-06] messages and composer are at most 800 px wide, and centred', async ({ browser }) => {
  const desk = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
  await openChat(desk);
  // Until the layout has settled.
  await expect(async () => {
    const log = await desk.getByRole('log').boundingBox();
    const bubble = await desk.locator('[data-seq="1"]').boundingBox();
    const send = await desk.getByRole('button', { name: 'Send', exact: true }).boundingBox();
    if (!log || !bubble || !send) throw new Error('nothing is drawn');
    const middle = log.x + log.width / 2;
    expect(bubble.x).toBeGreaterThanOrEqual(middle - 401);
    expect(send.x + send.width).toBeLessThanOrEqual(middle + 401);
    expect(send.x + send.width - middle).toBeCloseTo(middle - bubble.x, -1);
  }).toPass({ timeout: 15_000 });
});

test('[CONSOLE-07] Tab follows the visual order of a conversation, and a skip link leads to its messages', async ({
  browser,
}) => {
  for (const [width, order] of [
    [1000, ['Back to Queue', 'Details', 'Close', 'Block', 'More']],
    [390, ['Back to Queue', 'Notifications', 'More']],
  ] as const) {
    const desk = await browser.newPage({ viewport: { width, height: 800 } });
    await openChat(desk);
    await expect(desk.getByRole('region', { name: 'Jonas Weber' })).toHaveCount(1);
    await desk.reload();
    await expect(field(desk)).toBeFocused();
    await desk.evaluate(() => (document.activeElement as HTMLElement).blur());
    await desk.evaluate(() => getSelection()?.removeAllRanges());
    const skip = desk.getByRole('link', { name: 'Skip to the messages' });
    await skip.focus();
    await desk.keyboard.press('Enter');
    await expect(desk.getByRole('log')).toBeFocused();

    const buttons = header(desk).getByRole('button');
    await buttons.first().focus();
    const seen: { name: string; x: number }[] = [];
    for (const name of order) {
      const button = header(desk).getByRole('button', { name, exact: true });
      await expect(button).toBeFocused();
      seen.push({ name, x: (await button.boundingBox())?.x ?? 0 });
      await desk.keyboard.press('Tab');
    }
    expect(seen.toSorted((a, b) => a.x - b.x)).toEqual(seen);
  }
});

test('[LOOK-16] on a phone the queue also shows that the console is offline', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const line = await holdLine(page);
  await signIn(page, createHandler());
  const title = page.getByRole('heading', { name: /^My Queue/ });
  await expect(title).toBeVisible();
  await line.cut();
  const notice = page.getByText("You're offline. Messages will send when you're back.");
  await expect(notice).toBeVisible();
  const [noticeBox, titleBox] = [await notice.boundingBox(), await title.boundingBox()];
  expect(noticeBox?.y).toBeLessThan(titleBox?.y ?? 0);
  await line.mend();
  await expect(notice).toBeHidden();
  await expect(page.getByText("You're all caught up")).toBeHidden();
});
