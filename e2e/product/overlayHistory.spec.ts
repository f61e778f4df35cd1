import type { Locator, Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { fromPalette, PALETTE, palette } from './byKeyboard.ts';
import { makeConversations } from './database.ts';
import { enterConsole, newPerson, startChat } from './people.ts';
import { expect, test } from './watched.ts';

const row = (desk: Page, name: string): Locator =>
  desk.getByRole('region', { name: 'My Queue' }).getByRole('link', { name: new RegExp(name) });

test('[CONSOLE-01] Back closes an overlay of the console before it leaves the conversation', async ({
  browser,
}) => {
  const handler = createHandler();
  const [jonas, adaeze] = await makeConversations(handler.alias, [
    { name: 'Jonas Weber', text: 'May I read it to them tomorrow?', minutesAgo: 1 },
    { name: 'Adaeze Obi', text: 'Is the Berlin date still on?', minutesAgo: 6 },
  ]);
  const { page: desk } = await newPerson(browser);
  await desk.setViewportSize({ width: 1100, height: 800 });
  await enterConsole(desk, handler, '/handler');
  const at = (id: string | undefined) => `/handler/conversation/${id}`;
  const dialog = desk.getByRole('dialog');
  await row(desk, 'Jonas').click();
  await expect(desk).toHaveURL(at(jonas));

  // Back closes the overlay and keeps the conversation.
  for (const [typed, option] of [
    ['details', 'Details'],
    ['block', 'Block visitor'],
    ['saved', 'Saved replies'],
  ] as const) {
    await fromPalette(desk, typed, option);
    await expect(dialog).toBeVisible();
    await desk.goBack();
    await expect(dialog).toHaveCount(0);
    await expect(desk).toHaveURL(at(jonas));
  }

  // With two overlays, Back closes one at a time.
  await fromPalette(desk, 'details', 'Details');
  await desk.keyboard.press(PALETTE);
  await expect(palette(desk)).toBeVisible();
  await desk.goBack();
  await expect(palette(desk)).toHaveCount(0);
  await expect(dialog).toBeVisible();
  await desk.goBack();
  await expect(dialog).toHaveCount(0);

  // After closing in another way, one Back goes from the conversation to the queue.
  await fromPalette(desk, 'block', 'Block visitor');
  await desk.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await desk.goBack();
  await expect(desk).toHaveURL('/handler');

  // From the palette to another chat and back.
  await row(desk, 'Jonas').click();
  await expect(desk).toHaveURL(at(jonas));
  await desk.keyboard.press(PALETTE);
  await desk.keyboard.press('Escape');
  await row(desk, 'Adaeze').click();
  await expect(desk).toHaveURL(at(adaeze));
  await desk.goBack();
  await expect(desk).toHaveURL(at(jonas));
  await desk.goBack();
  await expect(desk).toHaveURL('/handler');
});

test('[CONSOLE-01] Back closes an overlay of the visitor’s chat before it leaves', async ({ browser }) => {
  const invite = createInvite(createHandler().alias);
  const { page } = await newPerson(browser);
  await page.goto('/');
  await startChat(page, invite, 'Léa Moreau');
  const dialog = page.getByRole('dialog');
  const open = async (item: string) => {
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await expect(dialog).toBeVisible();
  };
  await page.getByRole('button', { name: 'More' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(page).toHaveURL(invite);
  await expect(page.getByRole('button', { name: 'More' })).toBeFocused();
  for (const item of ['Change name', 'Download conversation', 'Devices', 'Delete conversation']) {
    await open(item);
    await page.goBack();
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL(invite);
  }
  await page.getByRole('button', { name: 'Notifications' }).click();
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(invite);

  // After closing in another way, one Back leaves the chat.
  await open('Devices');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL('/');
});
