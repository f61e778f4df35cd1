import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { drawing } from '../gallery/drawings.ts';
import { createHandler, createInvite } from './accounts.ts';
import { makeConversations } from './database.ts';
import { choose } from './images.ts';
import { expectFocusInSight, fromPalette, holdTimers, PALETTE, palette, tabTo } from './pages.ts';
import { bubbles, expectTexts, newPerson, startChat } from './people.ts';
import { alsoInFirefox, expect, nightly, test } from './watched.ts';

async function giveNameByKeyboard(page: Page, invite: string): Promise<void> {
  await page.goto(invite);
  await expect(page.getByRole('button', { name: 'Start chat' })).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Start chat', exact: true }));
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Display Name')).toBeFocused();
  await page.keyboard.type('Jonas');
  await page.keyboard.press('Enter');
}

test(
  '[A11Y-12] the whole visit by keyboard alone: start, name, write, copy, menu, and a second device by code',
  alsoInFirefox,
  async ({ browser }) => {
    const invite = createInvite(createHandler().alias);
    const { page, context } = await newPerson(browser);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await giveNameByKeyboard(page, invite);

    // After the name, the focus is in the composer.
    await expect(page.getByPlaceholder('Message...')).toBeFocused();
    await page.keyboard.type('Hello');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('there');
    await page.keyboard.press('Enter');
    await expectTexts(page, ['Hello\nthere']);
    await expect(page.getByPlaceholder('Message...')).toBeFocused();

    await page.keyboard.press('Shift+Tab');
    await expect(page.getByRole('button', { name: 'Send an image' })).toBeFocused();
    await choose(page, () => page.keyboard.press('Enter'), await drawing('letter', 'letter.jpg'));
    await expect(page.getByText('letter.jpg')).toBeVisible();
    await tabTo(page, button('Remove letter.jpg'), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText('letter.jpg')).toHaveCount(0);
    await expect(page.getByPlaceholder('Message...')).toBeFocused();

    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await expect(bubbles(page).getByRole('button', { name: 'Copy' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('Hello\nthere');

    await tabTo(page, button('Dismiss'), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Continue on another device:')).toHaveCount(0);
    await tabTo(page, button('More'));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Change name' })).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('menuitem', { name: 'Continue in another browser or device' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Continue on another device:')).toBeVisible();
    // The banner is above the header.
    await tabTo(page, button('Copy'), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Code copied!')).toBeVisible();
    const code = await page.evaluate(() => navigator.clipboard.readText());

    const { page: second } = await newPerson(browser);
    await giveNameByKeyboard(second, invite);
    await expect(second.getByRole('heading', { name: 'Continue this chat' })).toBeVisible();
    await expect(second.getByRole('textbox')).toBeFocused();
    await second.keyboard.type(code);
    await second.keyboard.press('Enter');
    await expectTexts(second, ['Hello\nthere']);
  },
);

const row = (desk: Page, name: string): Locator =>
  desk.getByRole('region', { name: 'My Queue' }).getByRole('link', { name: new RegExp(name) });

/** Presses a key outside of text fields. Afterwards something has a visible focus. */
async function press(desk: Page, key: string): Promise<void> {
  await desk.keyboard.press(key);
  await expectFocusInSight(desk);
}

async function expectOpen(desk: Page, name: string): Promise<void> {
  await expect(desk.getByRole('heading', { name, exact: true })).toBeVisible();
  await expect(desk.getByPlaceholder('Type your message...')).toBeFocused();
  await expectFocusInSight(desk);
}

test('[A11Y-14] a working day by keyboard alone', { tag: [nightly.tag, alsoInFirefox.tag] }, async ({
  browser,
}) => {
  const handler = createHandler();
  // The alias sorts near the top among the desks of all tests.
  const other = createHandler(`aa-${randomUUID().slice(0, 8)}`);
  const { page: jonas } = await newPerson(browser);
  await startChat(jonas, createInvite(handler.alias), 'Jonas Weber');
  const names = ['Ada', 'Bela', 'Cleo', 'Dario', 'Edda', 'Finn', 'Gala', 'Hugo', 'Ines'];
  await makeConversations(
    handler.alias,
    names.map((name, index) => ({
      name,
      text: name === 'Hugo' ? 'The word to look for is marzipan' : `Hello from ${name}`,
      minutesAgo: index + 2,
      unread: 1,
    })),
  );
  const { page: desk } = await newPerson(browser);
  // No mouse: none of these may be called on this page.
  for (const forbidden of ['click', 'hover', 'tap', 'check', 'fill'] as const) {
    desk[forbidden] = () => Promise.reject(new Error(`${forbidden}, on a day without a mouse`));
  }
  let pointed = 0;
  await desk.exposeFunction('pointed', () => {
    pointed += 1;
  });
  await desk.addInitScript(() => {
    const { pointed: report } = globalThis as unknown as { pointed: () => void };
    for (const type of ['pointerdown', 'mousemove'])
      addEventListener(type, () => report(), { capture: true });
  });
  // The toast disappears after 10 s, and the keys to Undo may take longer on a busy machine.
  await holdTimers(desk, 10_000);

  // Sign in.
  await desk.goto('/handler');
  await tabTo(desk, desk.getByLabel('Email address'));
  await desk.keyboard.type(handler.email);
  await tabTo(desk, desk.getByLabel('Password'));
  await desk.keyboard.type(handler.password);
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('heading', { name: 'My Queue (10)' })).toBeVisible();
  await expect(row(desk, 'Jonas')).toBeVisible();

  // Through all ten, answering the first and the last. An answered conversation moves to the top.
  const ten = ['Jonas Weber', ...names];
  for (const [index, name] of ten.entries()) {
    await desk.keyboard.press('Alt+ArrowDown');
    await expectOpen(desk, name);
    // A handler who moves on before the text has loaded has not read it.
    await expect(row(desk, name).getByText(/\d+ unread/)).toHaveCount(0);
    if (index !== 0 && index !== 9) continue;
    await desk.keyboard.type(`Hello ${name}, yes.`);
    await desk.keyboard.press('Enter');
    await expect(bubbles(desk, 'out').last()).toContainText(`Hello ${name}, yes.`);
  }
  await expect(desk.getByText(/\d+ unread/)).toHaveCount(0);

  // Create a saved reply and use it.
  await fromPalette(desk, 'saved', 'Saved replies');
  await tabTo(desk, desk.getByRole('button', { name: 'New reply' }));
  await desk.keyboard.press('Enter');
  await expect(desk.getByLabel('Shortcut')).toBeFocused();
  await desk.keyboard.type('thanks');
  await tabTo(desk, desk.getByLabel('Text', { exact: true }));
  await desk.keyboard.type('Thank you so much, {name}!');
  await tabTo(desk, desk.getByRole('button', { name: 'Save', exact: true }));
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('dialog').getByText('/thanks')).toBeVisible();
  await desk.keyboard.press('Escape');
  await expect(desk.getByRole('dialog')).toHaveCount(0);
  await expectFocusInSight(desk);
  await fromPalette(desk, 'jonas', /Jonas Weber/);
  await expectOpen(desk, 'Jonas Weber');
  await desk.keyboard.type('/tha');
  await expect(desk.getByRole('option', { name: /^\/thanks/ })).toHaveAttribute('aria-selected', 'true');
  await desk.keyboard.press('Enter');
  await expect(desk.getByPlaceholder('Type your message...')).toHaveValue('Thank you so much, Jonas Weber!');
  await desk.keyboard.press('Enter');
  await expect(bubbles(jonas, 'in').last()).toContainText('Thank you so much, Jonas Weber!');

  // A note, which only staff see.
  await press(desk, 'ControlOrMeta+i');
  await desk.keyboard.type('He reads to a class');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('log').getByText('He reads to a class')).toBeVisible();
  // Close, undo, close again.
  await desk.keyboard.press('ControlOrMeta+e');
  await expect(desk.getByText('Closed the chat with Jonas Weber.')).toBeVisible();
  await expect(desk.getByRole('heading', { name: 'My Queue (9)' })).toBeVisible();
  await expectFocusInSight(desk);
  await desk.keyboard.press('ControlOrMeta+z');
  await expect(desk.getByRole('heading', { name: 'My Queue (10)' })).toBeVisible();
  await expectOpen(desk, 'Jonas Weber');
  await desk.keyboard.press('ControlOrMeta+e');
  await expect(desk.getByRole('heading', { name: 'My Queue (9)' })).toBeVisible();
  await expect(jonas.getByText('This conversation was closed. Sending a message reopens it.')).toBeVisible();

  // Block, after the confirmation.
  await fromPalette(desk, 'cleo', 'Cleo');
  await expectOpen(desk, 'Cleo');
  await fromPalette(desk, 'block', 'Block visitor');
  const question = desk.getByRole('dialog', { name: 'Block Cleo?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await tabTo(desk, question.getByRole('button', { name: 'Block' }));
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('heading', { name: 'My Queue (8)' })).toBeVisible();
  await expectFocusInSight(desk);

  // Find it by a word, and hand it over to another desk.
  await desk.keyboard.press(PALETTE);
  await desk.keyboard.type('marzi');
  await expect(desk.getByRole('group', { name: 'Messages' }).locator('mark')).toHaveText('marzi');
  await expect(palette(desk)).toBeFocused();
  await desk.keyboard.press('Enter');
  await expect(desk).toHaveURL(/\?message=1$/);
  await expect(desk.locator('[data-seq="1"]')).toBeFocused();
  await expectFocusInSight(desk);
  await fromPalette(desk, 'hand', 'Hand over');
  await tabTo(desk, desk.getByRole('radio').first());
  const wanted = desk.getByRole('radio', { name: new RegExp(other.alias) });
  for (let presses = 0; !(await wanted.isChecked()); presses += 1) {
    if (presses > 500) throw new Error('the arrows do not reach the other desk');
    await desk.keyboard.press(presses === 0 ? 'Space' : 'ArrowDown');
  }
  await tabTo(desk, desk.getByLabel('Note for the next handler'));
  await desk.keyboard.type('Asks about marzipan');
  await tabTo(desk, desk.getByRole('button', { name: 'Hand over' }));
  await desk.keyboard.press('Enter');
  await expect(desk.getByText(`Handed over to ${other.alias}.`)).toBeVisible();
  await expect(desk.getByRole('heading', { name: 'My Queue (7)' })).toBeVisible();
  await expectFocusInSight(desk);

  // Sign out.
  await fromPalette(desk, 'sign out', 'Sign Out');
  await expect(desk.getByRole('heading', { name: 'Handler Console' })).toBeVisible();
  expect(pointed).toBe(0);
});
