import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Download, Locator, Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { enterAdmin, expectLive, withoutPoll } from './admins.ts';
import { inDatabase } from './database.ts';
import { expectFocusInSight, tabTo } from './pages.ts';
import { newPerson, openWithCode, startChat } from './people.ts';
import { readQr } from './readQr.ts';
import { alsoInFirefox, alsoNightly, expect, test } from './watched.ts';

/** A label that is unique to this test. */
const label = (words: string) => `${words} ${randomUUID().slice(0, 8)}`;
const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });
const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name });

async function contentOf(download: Download): Promise<Buffer> {
  return readFileSync(await download.path());
}

async function choose(page: Page, row: string, action: string): Promise<void> {
  await button(page, `Actions for ${row}`).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('an invite is created, scanned and opened, and the list follows', async ({ page, context, browser }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { alias } = createHandler();
  const name = label('Lyon reading');
  await withoutPoll(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await enterAdmin(page, { path: '/admin/invites' });
  await button(page, 'New invite').first().click();
  await page.getByRole('textbox', { name: 'Label' }).fill(name);
  await page.getByLabel('Handler').selectOption(alias);
  await page.getByLabel('Expires after').fill('0');
  await expect(page.getByText('A whole number from 1 to 3,650')).toBeVisible();
  await expect(button(page, 'Create invite')).toBeDisabled();
  await page.getByLabel('Expires after').fill('7');
  await button(page, 'Create invite').click();

  // The link is shown in place, and only once.
  await expect(page.getByText('This link is shown once.')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const link = await page.getByLabel('Invite link', { exact: true }).inputValue();
  // The page asks before the link is lost.
  await page.getByRole('link', { name: 'All invites' }).click();
  await page
    .getByRole('dialog', { name: 'Leave without the link?' })
    .getByRole('button', { name: 'Stay' })
    .click();
  await button(page, 'Copy link').click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  const code = page.getByRole('img', { name: `QR code of the invite link for ${name}` });
  // Dark on white, also in the dark theme; level M, with a quiet zone.
  expect(await readQr(await code.screenshot())).toMatchObject({ text: link, level: 'M', quietZone: 4 });
  const [svg] = await Promise.all([page.waitForEvent('download'), button(page, 'QR as SVG').click()]);
  expect(svg.suggestedFilename()).toBe(`${name.replaceAll(' ', '-')}.svg`);
  expect((await readQr(await contentOf(svg))).text).toBe(link);
  const [png] = await Promise.all([page.waitForEvent('download'), button(page, 'QR as PNG').click()]);
  const picture = await readQr(await contentOf(png));
  expect(picture).toMatchObject({ text: link, level: 'M', quietZone: 4 });
  expect(picture.pixels).toBeGreaterThanOrEqual(1_024);

  // From here on the list updates by itself.
  await page.getByRole('link', { name: 'All invites' }).click();
  await page.getByRole('searchbox', { name: 'Search invites' }).fill(name);
  await expect(rowOf(page, name)).toContainText('New');
  await expect(rowOf(page, name)).toContainText('Not opened');
  const { page: visitor } = await newPerson(browser);
  const path = new URL(link).pathname;
  await visitor.goto(path);
  await button(visitor, 'Start chat').click();
  await expectLive(rowOf(page, name)).toContainText('Opened');
  await visitor.getByLabel('Display Name').fill('Jonas Weber');
  await button(visitor, 'Start Chatting').click();
  await expectLive(rowOf(page, name)).toContainText('Started');
  const { rows } = await inDatabase<{ id: string }>(
    'select c.id from conversations c join invites i on i.id = c.invite_id where i.label = $1',
    [name],
  );
  await expectLive(rowOf(page, name).getByRole('link', { name: 'Jonas Weber' })).toHaveAttribute(
    'href',
    `/admin/conversations/${rows[0]?.id}`,
  );
});

test('[A11Y-14] by keyboard alone: several invites with a sheet to print, then all revoked', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  createHandler();
  const prefix = label('Bulk');
  await enterAdmin(page, { path: '/admin/invites/new' });
  await tabTo(page, page.getByRole('radio', { name: 'One' }));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Several' })).toBeFocused();
  await tabTo(page, page.getByLabel('Label prefix'));
  await page.keyboard.type(prefix);
  await expect(page.getByText(`“${prefix}, no. 1”`)).toBeVisible();
  await tabTo(page, page.getByLabel('How many', { exact: true }).and(page.locator('input[inputmode]')));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('501');
  await expect(page.getByText('A whole number from 1 to 500')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('13');
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: '13 invites created' })).toBeFocused();
  await expect(page.getByText('These links are shown once.')).toBeVisible();
  await tabTo(page, button(page, 'Copy all links'));
  await page.keyboard.press('Enter');
  await expect(button(page, 'Copied')).toBeVisible();
  const links = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
  expect(new Set(links).size).toBe(13);
  await tabTo(page, button(page, 'Download CSV'));
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  const lines = (await contentOf(file)).toString().trim().split('\r\n');
  expect(lines[0]).toBe('label,link,expires');
  expect(lines[13]).toMatch(`"${prefix}, no. 13",${links[12]},`);

  await tabTo(page, button(page, 'Print cards'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Cards to print' })).toBeVisible();
  await expectSheet(page, links);
  await tabTo(page, button(page, 'Back'));
  await page.keyboard.press('Enter');

  await tabTo(page, page.getByRole('link', { name: 'All invites' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('searchbox', { name: 'Search invites' }));
  await page.keyboard.type(prefix);
  await expect(page.getByRole('row')).toHaveCount(14);
  await tabTo(page, page.getByRole('checkbox', { name: 'Select all shown' }));
  await page.keyboard.press('Space');
  await expect(page.getByText('13 selected')).toBeVisible();
  await tabTo(page, button(page, 'Revoke'));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Revoke 13 invites?' });
  await expect(dialog).toContainText('sees “This invite link has been revoked”');
  await tabTo(page, dialog.getByRole('button', { name: 'Revoke' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('13 invites revoked')).toBeVisible();
  await expectLive(page.getByRole('cell', { name: 'Revoked' })).toHaveCount(13);
  await expect(page.getByText('13 selected')).toBeHidden();
  await page.keyboard.press('Tab');
  await expectFocusInSight(page);
});

/**
 * Two A4 pages with eight cards each and nothing else. The codes contain the links. A card names the profile, but shows
 * neither label nor link.
 */
async function expectSheet(page: Page, links: string[]): Promise<void> {
  const codes = page.getByRole('img', { name: /QR code/ });
  await expect(codes).toHaveCount(13);
  const pdf = (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString('latin1');
  const sizes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) => [
    Math.round(Number(width)),
    Math.round(Number(height)),
  ]);
  expect(sizes).toEqual([
    [595, 842],
    [595, 842],
  ]);
  // White paper, also in the dark theme.
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(button(page, 'Print')).toBeHidden();
  const card = codes.first().locator('xpath=ancestor::div[2]');
  const box = await card.boundingBox();
  const MM = 96 / 25.4;
  expect(Math.round((box?.width ?? 0) / MM)).toBe(90);
  expect(Math.round((box?.height ?? 0) / MM)).toBe(63);
  await expect(card).toContainText('Scan to take your seat');
  const paper = card.locator('xpath=ancestor::section');
  await expect(paper).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(page.getByText(links[0] ?? '')).toHaveCount(0);
  // The label is beside the card, in the part that is cut off.
  const label = await card.getByText(/, no\. 1$/).boundingBox();
  expect((label?.x ?? 0) + (label?.width ?? 0)).toBeLessThanOrEqual(box?.x ?? 0);
  const code = await codes.first().boundingBox();
  expect(Math.round((code?.width ?? 0) / MM)).toBe(38);
  for (const index of [0, 12]) {
    // Whole pixels per module, so that the screenshot is readable.
    await codes.nth(index).evaluate((svg: SVGSVGElement) => {
      svg.parentElement?.style.setProperty('--qr-size', `${svg.viewBox.baseVal.width * 6}px`);
    });
    const { text, level } = await readQr(await codes.nth(index).screenshot());
    expect([text, level]).toEqual([links[index], 'M']);
  }
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
}

test(
  '[INVITE-21] an open chat of a revoked invite ends with the specified text',
  alsoInFirefox,
  async ({ page, browser }) => {
    const { alias } = createHandler();
    const invite = createInvite(alias);
    const { page: visitor } = await newPerson(browser);
    await startChat(visitor, invite, 'Jonas Weber');
    await enterAdmin(page, { path: `/admin/invites?handler=${alias}` });
    await page.getByRole('radio', { name: /Started/ }).click();
    await expect(page).toHaveURL(/state=BOUND/);
    await expect(page.getByRole('row')).toHaveCount(2);
    await button(page, /Actions for/).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await expect(page.getByRole('dialog')).toContainText('loses the chat on every device');
    await button(page.getByRole('dialog'), 'Revoke').click();
    await expect(visitor.getByText('This invite link has been revoked')).toBeVisible();
    await expectLive(page.getByText('No matches')).toBeVisible();
    await button(page, 'Show all').click();
    await visitor.reload();
    await expect(visitor.getByText('This invite link has been revoked')).toBeVisible();
  },
);

test(
  '[INVITE-24] an invite in use gets another link, code and label',
  alsoInFirefox,
  async ({ page, browser }) => {
    const { alias } = createHandler();
    const invite = createInvite(alias);
    const { page: visitor } = await newPerson(browser);
    await startChat(visitor, invite, 'Jonas Weber');
    await enterAdmin(page, { path: `/admin/invites?handler=${alias}&state=BOUND` });
    await button(page, /Actions for/).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const name = label('Press day');
    await page.getByRole('dialog').getByLabel('Label').fill(name);
    // A bound invite does not expire.
    await expect(page.getByRole('dialog').getByLabel('Expires in')).toHaveCount(0);
    await page.getByLabel('Days to keep the conversation').fill('90');
    await button(page, 'Save').click();
    await expectLive(rowOf(page, name)).toBeVisible();

    await choose(page, name, 'Replace link');
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('Devices already in the chat stay in it');
    await button(dialog, 'Replace link').click();
    const link = await dialog.getByLabel('Invite link', { exact: true }).inputValue();
    await expect(dialog).toContainText('This link is shown once.');
    await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible();
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
    const code = /\d{4}/.exec(await dialog.getByText(/^\d{4}$/).innerText())?.[0] ?? '';
    await openWithCode(second, new URL(link).pathname, 'Jonas Weber', code);
    await expect(second.getByPlaceholder('Message...')).toBeVisible();
  },
);

test(
  'an import of 10,000 names what is wrong, shows progress, and survives a lost answer',
  alsoNightly,
  async ({ page }) => {
    const { alias } = createHandler();
    const name = label('Import');
    await enterAdmin(page, { path: '/admin/invites/import' });
    await page.getByLabel('Rows').fill(`${name} a,${alias},30\n${name} b,nobody,30\n${name} c,${alias},x`);
    await expect(page.getByText('Line 2: there is no handler “nobody”')).toBeVisible();
    await expect(page.getByText('Line 3: the days “x” are not a whole number from 1 to 3,650')).toBeVisible();
    await expect(button(page, /^Create/)).toBeDisabled();

    const rows = Array.from({ length: 10_000 }, (_, index) => `"${name}, no. ${index + 1}",${alias},30`);
    const buffer = Buffer.from(`label,handler,days\r\n${rows.join('\r\n')}\r\n`);
    await page
      .getByLabel('Choose a CSV file')
      .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer });
    await expect(button(page, 'Create 10,000 invites')).toBeEnabled();

    // The third chunk is created but its response is lost. The sixth call is held while the test checks the page.
    let calls = 0;
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route('**/manage/invites', async (route) => {
      calls += 1;
      if (calls === 3) {
        await route.fetch();
        return route.abort();
      }
      if (calls === 6) await held;
      return route.continue();
    });
    await button(page, 'Create 10,000 invites').click();
    const bar = page.getByRole('progressbar', { name: 'Creating invites' });
    await expect(bar).toHaveAttribute('aria-valuetext', '2,000 of 10,000');
    // Leaving asks for confirmation. After staying, the import continues.
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    // It also continues on other admin pages.
    await page.getByRole('link', { name: 'Invites', exact: true }).click();
    goOn();
    await button(page, 'New invite').first().click();
    await page.getByRole('radio', { name: 'Import' }).click();
    await expect(page.getByRole('heading', { name: '10,000 invites created' })).toBeVisible({
      timeout: 120_000,
    });

    const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Download CSV').click()]);
    const lines = (await contentOf(file)).toString().trim().split('\r\n').slice(1);
    expect(lines).toHaveLength(10_000);
    const links = lines.map((line) => /(https?:\S+\/i\/[^,]+),/.exec(line)?.[1] ?? '');
    expect(new Set(links).size).toBe(10_000);
    const { rows: counted } = await inDatabase<{ made: number; matching: number }>(
      `select count(*)::integer as made,
       count(*) filter (where token_hash = any (select sha256(unnest($2::text[])::bytea)))::integer as matching
     from invites where label like $1`,
      [`${name}, no. %`, links.map((link) => link.slice(link.lastIndexOf('/') + 1))],
    );
    // Each invite exists once, and every link in the file works, also those of the chunk that was sent twice.
    expect(counted).toEqual([{ made: 10_000, matching: 10_000 }]);
  },
);
