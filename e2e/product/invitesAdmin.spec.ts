import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Download, Locator, Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { enterAdmin } from './admins.ts';
import { expectFocusInSight, tabTo } from './pages.ts';
import { newPerson, openWithCode, startChat } from './people.ts';
import { alsoInFirefox, expect, nightly, test } from './watched.ts';

/** A label that is unique to this test. */
const label = (words: string) => `${words} ${randomUUID().slice(0, 8)}`;
const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });
const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name });

async function contentOf(download: Download): Promise<string> {
  return readFileSync(await download.path(), 'utf8');
}

async function choose(page: Page, row: string, action: string): Promise<void> {
  await button(page, `Actions for ${row}`).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test(
  '[A11Y-14] by keyboard alone: several invites with a sheet to print, then all revoked',
  nightly,
  async ({ page }) => {
    createHandler();
    const prefix = label('Bulk');
    await enterAdmin(page, { path: '/admin/invites/new' });
    await tabTo(page, page.getByRole('radio', { name: 'One' }));
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('radio', { name: 'Several' })).toBeFocused();
    await tabTo(page, page.getByLabel('Label prefix'));
    await page.keyboard.type(prefix);
    await tabTo(page, page.getByLabel('How many', { exact: true }).and(page.locator('input[inputmode]')));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('13');
    await page.keyboard.press('Enter');

    await expect(page.getByRole('heading', { name: '13 invites created' })).toBeFocused();
    await tabTo(page, button(page, 'Download CSV'));
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    const lines = (await contentOf(file)).trim().split('\r\n').slice(1);
    expect(new Set(lines.map((line) => /\/i\/[^,]+/.exec(line)?.[0])).size).toBe(13);

    await tabTo(page, button(page, 'Print cards'));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Cards to print' })).toBeVisible();
    await expectSheet(page);
    await tabTo(page, button(page, 'Back'));
    await page.keyboard.press('Enter');

    await tabTo(page, page.getByRole('link', { name: 'All invites' }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('searchbox', { name: 'Search invites' }));
    await page.keyboard.type(prefix);
    await expect(page.getByRole('row')).toHaveCount(14);
    await tabTo(page, page.getByRole('checkbox', { name: 'Select all shown' }));
    await page.keyboard.press('Space');
    await tabTo(page, button(page, 'Revoke'));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Revoke 13 invites?' });
    await tabTo(page, dialog.getByRole('button', { name: 'Revoke' }));
    await page.keyboard.press('Enter');
    await expect(page.getByText('13 invites revoked')).toBeVisible();
    await expect(page.getByRole('cell', { name: 'Revoked' })).toHaveCount(13);
    await page.keyboard.press('Tab');
    await expectFocusInSight(page);
  },
);

/** Thirteen cards of 90 × 63 mm on two A4 pages of white paper, also in the dark theme. */
async function expectSheet(page: Page): Promise<void> {
  const codes = page.getByRole('img', { name: /QR code/ });
  await expect(codes).toHaveCount(13);
  const pdf = (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString('latin1');
  const sizes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) =>
    [width, height].map(Number).map(Math.round),
  );
  expect(sizes).toEqual([
    [595, 842],
    [595, 842],
  ]);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(button(page, 'Print')).toBeHidden();
  const card = codes.first().locator('xpath=ancestor::div[2]');
  const { width = 0, height = 0 } = (await card.boundingBox()) ?? {};
  const MM = 96 / 25.4;
  expect([width / MM, height / MM].map(Math.round)).toEqual([90, 63]);
  await expect(card.locator('xpath=ancestor::section')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
}

test(
  '[INVITE-24] [INVITE-21] an invite in use gets another label, link and code; revoking it ends the open chat',
  alsoInFirefox,
  async ({ page, browser }) => {
    const { alias } = createHandler();
    const invite = createInvite(alias);
    const { page: visitor } = await newPerson(browser);
    await startChat(visitor, invite, 'Jonas Weber');
    await enterAdmin(page, { path: `/admin/invites?handler=${alias}&state=BOUND` });
    await button(page, /Actions for/).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    const name = label('Press day');
    await dialog.getByLabel('Label').fill(name);
    await button(page, 'Save').click();
    await expect(rowOf(page, name)).toBeVisible();

    await choose(page, name, 'Replace link');
    await button(dialog, 'Replace link').click();
    const link = await dialog.getByLabel('Invite link', { exact: true }).inputValue();
    await expect(dialog).toContainText('This link is shown once.');
    await button(dialog, 'Done').click();
    // At the old address: the attached visitor gets back in, nobody else does.
    await visitor.reload();
    await expect(visitor.getByPlaceholder('Message...')).toBeVisible();
    const { page: second } = await newPerson(browser);
    await second.goto(invite);
    await expect(second.getByText('Invite not found')).toBeVisible();

    await choose(page, name, 'Reset continue code');
    await button(dialog, 'Reset continue code').click();
    await expect(dialog).toContainText('This code is shown once.');
    const code = await dialog.getByText(/^\d{4}$/).innerText();
    await button(dialog, 'Done').click();
    await openWithCode(second, new URL(link).pathname, 'Jonas Weber', code);
    await expect(second.getByPlaceholder('Message...')).toBeVisible();

    await choose(page, name, 'Revoke');
    await expect(dialog).toContainText('loses the chat on every device');
    await button(dialog, 'Revoke').click();
    await expect(second.getByText('This invite link has been revoked')).toBeVisible();
    // To the old address the chat never existed.
    await expect(visitor.getByText('Invite not found')).toBeVisible();
    await expect(page.getByText('No matches')).toBeVisible();
  },
);
