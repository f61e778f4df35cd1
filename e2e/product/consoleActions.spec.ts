import type { Locator, Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { endConversation } from './database.ts';
import { clickLastNotice, putInBackground, watchNotices, withoutPushes } from './notices.ts';
import { chatOfTwo, expectTexts, newPerson, send, signIn, startChat } from './people.ts';
import { expect, test } from './watched.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function choose(page: Page, item: string): Promise<void> {
  await button(page, 'More').click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('[CONSOLE-31] [S-09] Close can be undone for 10 s, longer while the toast has pointer or focus; Block asks first', async ({
  browser,
}) => {
  const { visitor, desk } = await chatOfTwo(browser, 'Jonas Weber');
  await send(visitor, 'Good morning');
  await expectTexts(desk, ['Good morning']);
  const address = desk.url();
  const toast = desk.getByRole('status').filter({ hasText: 'Closed the chat with Jonas Weber.' });
  await desk.clock.install();

  await button(desk, 'Close').click();
  await expect(desk).toHaveURL('/handler');
  await expect(toast).toBeVisible();
  await expect(desk.getByText('No conversations')).toBeVisible();
  await expect(
    visitor.getByText('This conversation was closed. Sending a message reopens it.'),
  ).toBeVisible();
  // With the keyboard, Undo is the next element. The toast waits while it has the focus.
  await desk.keyboard.press('Tab');
  await expect(desk.getByRole('button', { name: 'Undo' })).toBeFocused();
  await desk.clock.runFor(20_000);
  await desk.keyboard.press('Enter');
  await expect(desk).toHaveURL(address);
  await expect(desk.getByText('Reopened the chat with Jonas Weber.')).toBeVisible();
  await expect(visitor.getByText('This conversation was closed.')).toHaveCount(0);
  await expectTexts(desk, ['Good morning']);
  await expect(desk.getByRole('link', { name: /Jonas Weber/ })).toBeVisible();

  await button(desk, 'Block').click();
  const question = desk.getByRole('dialog', { name: 'Block Jonas Weber?' });
  await expect(question).toContainText(
    'They can still read the conversation, but nothing they write will reach you.',
  );
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await desk.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(button(desk, 'Block')).toBeFocused();
  await expect(desk).toHaveURL(address);

  await button(desk, 'Close').click();
  await expect(toast).toBeVisible();
  await desk.getByText('Closed the chat with Jonas Weber.').hover();
  await desk.clock.runFor(20_000);
  await expect(toast).toBeVisible();
  await desk.mouse.move(900, 300);
  await desk.clock.runFor(10_500);
  await expect(desk.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await desk.goto(address);
  await expect(desk.getByText('This conversation is closed')).toBeVisible();
  await button(desk, 'Reopen').click();
  await expect(button(desk, 'Close')).toBeVisible();

  // An error appears where the action was tried, and nothing changed.
  await desk.route('**/status', (route) => route.abort());
  await button(desk, 'Close').click();
  await expect(desk.getByRole('alert').filter({ hasText: 'Network error' })).toBeVisible();
  await desk.unroute('**/status');
  await button(desk, 'Block').click();
  await question.getByRole('button', { name: 'Block' }).click();
  await expect(desk).toHaveURL('/handler');
  await expect(desk.getByText('No conversations')).toBeVisible();
  await expect(visitor.getByText('This conversation is closed')).toBeVisible();
});

test('[CONSOLE-30] [H-08] hand-over takes a desk and a note; the old page can only be read until the chat returns', async ({
  browser,
}) => {
  const { visitor, desk, handler } = await chatOfTwo(browser, 'Mia');
  const other = createHandler();
  await send(visitor, 'Who are you?');
  await expectTexts(desk, ['Who are you?']);
  const { page: second } = await newPerson(browser);
  await signIn(second, handler);
  await second.goto(desk.url());
  await expectTexts(second, ['Who are you?']);
  await second.getByPlaceholder('Type your message...').fill('half a thought');

  await desk.route('**/desks', (route) => route.abort());
  await choose(desk, 'Hand over');
  const dialog = desk.getByRole('dialog', { name: 'Hand over the chat with Mia' });
  await expect(dialog.getByText("Couldn't load the desks.")).toBeVisible();
  await desk.unroute('**/desks');
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByRole('radio', { name: new RegExp(`${other.alias}.*offline`) })).toBeVisible();
  await expect(dialog.getByRole('radio', { name: new RegExp(handler.alias) })).toHaveCount(0);
  const submit = dialog.getByRole('button', { name: 'Hand over' });
  await expect(submit).toBeDisabled();
  await dialog.getByRole('radio', { name: new RegExp(other.alias) }).check();
  await dialog.getByLabel('Note for the next handler').fill('She asked for you');
  await desk.route('**/transfer', (route) => route.abort());
  await submit.click();
  await expect(dialog.getByText('Network error')).toBeVisible();
  await desk.unroute('**/transfer');
  await submit.click();
  await expect(desk).toHaveURL('/handler');
  await expect(desk.getByText(`Handed over to ${other.alias}.`)).toBeVisible();
  await expect(desk.getByText('No conversations')).toBeVisible();

  // The other window of the same desk had it open.
  await expect(second.getByText('This conversation is no longer at your desk.')).toBeVisible();
  await expectTexts(second, ['Who are you?']);
  await expect(second.getByPlaceholder('Type your message...')).toHaveCount(0);
  for (const name of ['Close', 'Block', 'More']) await expect(button(second, name)).toBeDisabled();
  // To anybody else at the old desk it does not exist.
  await desk.goto(second.url());
  await expect(desk).toHaveURL('/handler');
  await expect(desk.getByText('Conversation not found')).toBeVisible();
  await expect(desk.getByText('Who are you?')).toHaveCount(0);

  // The other desk gets it, marked and with the note. The visitor notices nothing.
  const { page: taker } = await newPerson(browser);
  await signIn(taker, other);
  const row = taker.getByRole('link', { name: /Mia/ });
  await expect(row).toContainText('Marked unread');
  await row.click();
  await expect(taker.getByRole('log')).toContainText(`from ${handler.alias} to ${other.alias}`);
  await expect(taker.getByRole('log')).toContainText('She asked for you');
  await expect(row).not.toContainText('Marked unread');
  await send(taker, 'The one you asked for');
  await expectTexts(visitor, ['Who are you?', 'The one you asked for']);
  await expect(visitor.getByText('She asked for you')).toHaveCount(0);
  await choose(taker, 'Mark unread');
  await expect(taker).toHaveURL('/handler');
  await expect(row).toContainText('Marked unread');

  // The chat returns. The page that had it open can be written in again.
  await row.click();
  await choose(taker, 'Hand over');
  const returning = taker.getByRole('dialog', { name: 'Hand over the chat with Mia' });
  await returning.getByRole('radio', { name: new RegExp(handler.alias) }).check();
  await returning.getByRole('button', { name: 'Hand over' }).click();
  await expect(taker).toHaveURL('/handler');
  await expect(second.getByText('This conversation is no longer at your desk.')).toHaveCount(0);
  await expectTexts(second, ['Who are you?', 'The one you asked for']);
  await send(second, 'Back again');
  await expectTexts(visitor, ['Who are you?', 'The one you asked for', 'Back again']);
});

test('[CONSOLE-38] a person’s menu: availability, sound, keys, theme, by keyboard alone', async ({
  page,
}) => {
  const handler = createHandler();
  await signIn(page, handler);
  const me = page.getByRole('button', { name: /^You and your settings: Ana Kovač/ });
  const item = (role: 'menuitemradio' | 'menuitemcheckbox', name: string) => page.getByRole(role, { name });
  await expect(me).toHaveAccessibleName(/Online$/);
  await me.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu')).toContainText(handler.alias);
  await expect(item('menuitemradio', 'Online')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(item('menuitemradio', 'Away')).toBeFocused();

  await page.route('**/handlers/me/availability', (route) => route.abort());
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('alert').filter({ hasText: 'Failed to change your availability' }),
  ).toBeAttached();
  await expect(page.getByRole('menu')).toContainText('Failed to change your availability');
  await expect(item('menuitemradio', 'Online')).toHaveAttribute('aria-checked', 'true');
  await page.unroute('**/handlers/me/availability');
  const other = await page.context().newPage();
  await other.goto('/handler');
  const meThere = other.getByRole('button', { name: /^You and your settings/ });
  await expect(meThere).toHaveAccessibleName(/Online$/);
  await page.bringToFront();
  await page.keyboard.press('Enter');
  await expect(item('menuitemradio', 'Away')).toHaveAttribute('aria-checked', 'true');
  await expect(page.getByRole('menu')).not.toContainText('Failed');
  await expect(meThere).toHaveAccessibleName(/Away$/);
  await other.close();

  for (const name of ['Sound for new messages', 'Single-key shortcuts']) {
    await page.keyboard.press('ArrowDown');
    await expect(item('menuitemcheckbox', name)).toBeFocused();
    await expect(item('menuitemcheckbox', name)).toHaveAttribute('aria-checked', 'true');
    await page.keyboard.press('Space');
    await expect(item('menuitemcheckbox', name)).toHaveAttribute('aria-checked', 'false');
  }
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.getByRole('menuitemradio', { name: 'Dark' }).press('Enter');
  const dark = await paper();
  expect(dark).not.toBe(light);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(me).toBeFocused();
  await expect(me).toHaveAccessibleName(/Away$/);

  await page.reload();
  await expect(me).toBeVisible();
  expect(await paper()).toBe(dark);
  // On a phone it is in the queue's header.
  await page.setViewportSize({ width: 360, height: 740 });
  await me.click();
  await expect(item('menuitemcheckbox', 'Sound for new messages')).toHaveAttribute('aria-checked', 'false');
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page.getByRole('heading', { name: 'Handler Console' })).toBeVisible();
});

test('[CONSOLE-39] [H-04] [CONSOLE-14] panes by width at the same address, with every control large enough for a finger', async ({
  browser,
}) => {
  const handler = createHandler();
  const invite = createInvite(handler.alias);
  const { page: visitor } = await newPerson(browser);
  await startChat(visitor, invite, 'Bartholomäus von Ingelfingen-Hohenlohe');
  await send(visitor, 'Hello?');
  const touch = await browser.newContext({ hasTouch: true, isMobile: true });
  const desk = await touch.newPage();
  await desk.setViewportSize({ width: 1280, height: 800 });
  await signIn(desk, handler);
  await desk.getByRole('link', { name: /Bartholomäus/ }).click();
  await expectTexts(desk, ['Hello?']);
  const address = desk.url();
  const rail = desk.getByRole('navigation', { name: 'Console' });
  const queue = desk.getByRole('region', { name: 'My Queue' });
  const details = desk.getByRole('complementary', { name: 'Details' });
  const widthOf = async (part: typeof rail) => (await part.boundingBox())?.width;

  for (const [width, panes] of [
    [1920, ['rail', 'queue', 'details']],
    [1280, ['rail', 'queue', 'details']],
    [900, ['rail', 'queue']],
    [768, []],
    [360, []],
  ] as const) {
    await desk.setViewportSize({ width, height: 800 });
    await expect(rail).toBeVisible({ visible: panes.some((pane) => pane === 'rail') });
    await expect(queue).toBeVisible({ visible: panes.some((pane) => pane === 'queue') });
    await expect(details).toBeVisible({ visible: panes.some((pane) => pane === 'details') });
    const header = desk.locator('header').filter({ hasText: 'Chat with' });
    await expect(desk.getByRole('heading', { name: /Bartholomäus/, level: 1 })).toBeVisible();
    await expect(header.getByText('Chat with Settee')).toBeVisible();
    const inReach = async (target: Locator, name: string) => {
      await expect(target).toBeVisible();
      const box = await target.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0), `${name} at ${width} px`).toBeGreaterThanOrEqual(
        44,
      );
      expect((box?.x ?? -1) + (box?.width ?? 0), `${name} at ${width} px`).toBeLessThanOrEqual(width);
    };
    for (const name of ['Back to Queue', 'More']) await inReach(button(desk, name), name);
    // There is one bell at every width: in the header, or in the rail beside it.
    await inReach(desk.getByRole('button', { name: 'Notifications' }), 'Notifications');
    const phone = width < 900;
    if (phone) await button(desk, 'More').click();
    for (const name of ['Close', 'Block', 'Sign Out']) {
      const item = desk.getByRole('menuitem', { name });
      await inReach(phone ? item : button(desk, name).first(), name);
    }
    if (phone) await desk.keyboard.press('Escape');
    expect(await desk.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    if (width >= 1280) {
      expect([await widthOf(rail), await widthOf(queue), await widthOf(details)]).toEqual([64, 344, 284]);
      await expect(button(desk, 'Details')).toBeHidden();
    } else {
      if (phone) await button(desk, 'More').click();
      await (phone ? desk.getByRole('menuitem', { name: 'Details' }) : button(desk, 'Details')).click();
      const sheet = desk.getByRole('dialog', { name: 'Details' });
      await expect(sheet).toContainText('V-');
      await desk.keyboard.press('Escape');
      await expect(sheet).toHaveCount(0);
      await expect(button(desk, phone ? 'More' : 'Details')).toBeFocused();
    }
    expect(desk.url()).toBe(address);
  }
  await button(desk, 'Back to Queue').click();
  await expect(queue).toBeVisible();
  await expect(desk.getByPlaceholder('Type your message...')).toBeHidden();
});

test('[H-04] [N-01] the console’s bell gives notices of visitors’ messages at the desk, without their text', async ({
  browser,
}) => {
  const { visitor, desk, handler } = await chatOfTwo(browser, 'Jonas');
  await desk.context().grantPermissions(['notifications']);
  await withoutPushes(desk.context());
  const notices = await watchNotices(desk);
  await desk.goto('/handler');
  await desk
    .getByRole('navigation', { name: 'Console' })
    .getByRole('button', { name: 'Notifications' })
    .click();
  const panel = desk.getByRole('dialog', { name: 'Notifications' });
  await expect(panel).toContainText('Get notified while this tab is open');
  await panel.getByRole('button', { name: 'Enable' }).click();
  await expect(panel.getByText('Notifications are on while this tab is open')).toBeVisible();
  await desk.keyboard.press('Escape');
  const row = desk.getByRole('link', { name: /Jonas/ });
  await send(visitor, 'The tab is in front');
  await expect(row).toContainText('The tab is in front');
  await putInBackground(desk, true);
  await send(visitor, 'Now it is not');
  await expect.poll(notices).toEqual([{ title: 'Jonas', body: 'New message' }]);
  const { page: second } = await newPerson(browser);
  await startChat(second, createInvite(handler.alias), 'Mia');
  await send(second, 'Hello');
  await expect.poll(notices).toEqual([
    { title: 'Jonas', body: 'New message' },
    { title: 'Mia', body: 'New message' },
  ]);
  await clickLastNotice(desk);
  await expect(desk.getByRole('heading', { name: 'Mia', level: 1 })).toBeVisible();
  await expect(desk).toHaveURL(/conversation/);
  await desk.getByRole('button', { name: 'Notifications' }).click();
  await panel.getByRole('button', { name: 'Disable' }).click();
  await send(visitor, 'And off again');
  await expect(row).toContainText('And off again');
  expect(await notices()).toHaveLength(2);
});

test('[CONSOLE-33] Undo after a colleague’s block lifts no block, and says so; Unblock on a page that shows it does', async ({
  browser,
}) => {
  const { desk, invite } = await chatOfTwo(browser, 'Petra');
  const address = desk.url();
  await button(desk, 'Close').click();
  const toast = desk.getByRole('status').filter({ hasText: 'Closed the chat with Petra.' });
  await toast.hover();
  await endConversation(invite, 'blocked', 0);
  await desk.getByRole('button', { name: 'Undo' }).click();
  await expect(desk.getByText('Someone else just changed this.')).toBeVisible();
  await expect(desk).toHaveURL('/handler');

  await desk.goto(address);
  await expect(button(desk, 'Close')).toHaveCount(0);
  await button(desk, 'Unblock').click();
  await expect(button(desk, 'Close')).toBeVisible();
});
