import { createHandler, createInvite } from './accounts.ts';
import { newPerson, pxFromEnd, send, startChat } from './people.ts';
import { expect, test } from './watched.ts';

const handler = createHandler();

test('[V-13] [L-05] on iOS the page fits above the on-screen keyboard, and the list stays at its end', async ({
  page,
}) => {
  // On iOS the keyboard covers the page and only the visual viewport shrinks. No test browser has such a keyboard.
  await page.addInitScript(() => {
    const own = Object.getOwnPropertyDescriptor(VisualViewport.prototype, 'height');
    const visible = window as unknown as { visible?: number };
    Object.defineProperty(VisualViewport.prototype, 'height', {
      get() {
        return visible.visible ?? own?.get?.call(this);
      },
    });
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await startChat(page, createInvite(handler.alias), 'Jonas');
  for (let i = 0; i < 5; i += 1) await send(page, `${i}${'\n.'.repeat(6)}`);
  const visible = (height?: number) =>
    page.evaluate((px) => {
      Object.assign(window, { visible: px });
      visualViewport?.dispatchEvent(new Event('resize'));
    }, height);
  const composerEnd = () =>
    page.locator('form').evaluate((form) => Math.round(form.getBoundingClientRect().bottom));
  expect(await composerEnd()).toBe(844);

  // A browser toolbar, not a keyboard.
  await visible(760);
  await expect.poll(composerEnd).toBe(844);
  await visible(480);
  await expect.poll(composerEnd).toBe(480);
  await expect.poll(() => pxFromEnd(page)).toBeLessThan(1);
  await expect(page.getByRole('banner')).toBeInViewport();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  // The page never gets too small to read.
  await visible(90);
  await expect.poll(composerEnd).toBe(200);
  await page.getByPlaceholder('Message...').blur();
  await visible(undefined);
  await expect.poll(composerEnd).toBe(844);
  await expect.poll(() => pxFromEnd(page)).toBeLessThan(1);
});

test('[V-13] elsewhere the page shrinks, and the list scrolls again 100 ms later', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await startChat(page, createInvite(handler.alias), 'Jonas');
  for (let i = 0; i < 5; i += 1) await send(page, `${i}${'\n.'.repeat(6)}`);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.setViewportSize({ width: 390, height: 480 });
  await expect(page.getByPlaceholder('Message...')).toBeInViewport();
  await page.clock.runFor(50);
  // The list scrolls off its end while the keyboard opens. The page corrects this when the keyboard is open.
  await page.getByRole('log').evaluate((log) => log.scrollBy(0, -60));
  await page.clock.runFor(40);
  expect(await pxFromEnd(page)).toBe(60);
  await expect
    .poll(async () => {
      await page.clock.runFor(50);
      return pxFromEnd(page);
    })
    .toBeLessThan(1);
});

test('[UI-06] on a desktop a reloaded chat is ready for typing; on a phone no keyboard opens', async ({
  browser,
}) => {
  const invite = createInvite(createHandler().alias);
  const { page } = await newPerson(browser);
  await startChat(page, invite, 'Jonas');
  await send(page, 'hello');
  await page.reload();
  await expect(page.getByPlaceholder('Message...')).toBeFocused();

  const { page: phone } = await newPerson(browser, { hasTouch: true, isMobile: true });
  await startChat(phone, createInvite(createHandler().alias), 'Jonas');
  await phone.reload();
  await expect(phone.getByPlaceholder('Message...')).toBeVisible();
  await expect(phone.getByPlaceholder('Message...')).not.toBeFocused();
});
