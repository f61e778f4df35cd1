import type { Page } from '@playwright/test';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { dashboardTexts as texts } from '@settee/protocol/texts/dashboardTexts';
import { createHandler, createInvite } from './accounts.ts';
import { enterAdmin, expectLive, withoutPoll } from './admins.ts';
import { forWorker, startEmptyInstallation } from './ownInstallation.ts';
import { newPerson, send, signIn, startChat } from './people.ts';
import { test as base } from './watched.ts';

/** The page follows changes. */
const expect = expectLive;

const stat = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });
const chart = (page: Page) => page.locator('main canvas');

/** The chart as an image, to detect a redraw. */
const picture = (page: Page) => chart(page).evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());

/** A separate installation: figures cover the whole installation, so other tests would change them. */
const test = base.extend<object, { house: Awaited<ReturnType<typeof startEmptyInstallation>> }>({
  house: forWorker(startEmptyInstallation),
  baseURL: ({ house }, use) => use(house.url),
});

/** Offset of a time zone where it is noon now, so that no day ends during a test. */
const hoursToNoon = 12 - new Date().getUTCHours();
test.use({ timezoneId: `Etc/GMT${hoursToNoon > 0 ? '-' : '+'}${Math.abs(hoursToNoon)}` });

test('figures, chart and table follow changes, and a waiting visitor is reassigned', async ({
  page,
  browser,
  house,
}) => {
  const { env } = house;
  const [mine, other] = [createHandler('mara-east', env), createHandler('mara-tour', env)];
  const { page: visitor } = await newPerson(browser);
  const { page: console } = await newPerson(browser);
  await withoutPoll(page);
  await enterAdmin(page, { env, path: '/admin/dashboard' });

  await expect(stat(page, texts.messages)).toHaveAccessibleName(/0 Same as previous 7 days$/);
  await expect(stat(page, texts.medianFirstReply)).toHaveAccessibleName(/– No first replies yet$/);
  await expect(page.getByText(texts.nobodyWaiting)).toBeVisible();
  await expect(chart(page)).toBeVisible();
  const empty = await picture(page);

  // A visitor writes. From here on no page reloads.
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
  await startChat(visitor, createInvite(mine.alias, env), 'Adaeze Obi');
  await send(visitor, 'Is the Berlin date still on?');
  await expect(stat(page, texts.messages)).toHaveAccessibleName(/^Messages 1 /);
  await expect(stat(page, texts.newConversations)).toHaveAccessibleName(/^New conversations 1 /);
  await expect(stat(page, texts.waitingNow)).toHaveAccessibleName(/^Waiting now 1 Longest 0m$/);
  const waiting = page.getByRole('region', { name: texts.waiting });
  await expect(
    waiting.getByRole('row', { name: /Adaeze Obi.*Is the Berlin date still on\?.*mara-east/ }),
  ).toBeVisible();
  await expect.poll(() => picture(page)).not.toBe(empty);
  const invites = page.getByRole('region', { name: texts.invites });
  await expect(invites).toContainText(/Created1.*Opened1100%.*Started1100%.*Replied00%/);

  // Only with the keyboard: another figure, the table view, another period.
  await stat(page, texts.messages).focus();
  await page.keyboard.press('Tab');
  await expect(stat(page, texts.newConversations)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(stat(page, texts.newConversations)).toHaveAttribute('aria-pressed', 'true');
  await expect(stat(page, texts.messages)).toHaveAttribute('aria-pressed', 'false');
  await expect(page.getByRole('heading', { name: texts.conversationsPerDay })).toBeVisible();
  await stat(page, texts.messages).press('Enter');
  await page.getByRole('button', { name: adminTexts.viewAsTable }).press('Enter');
  const rows = page.getByRole('table', { name: texts.messagesPerDay }).getByRole('row');
  await expect(rows).toHaveCount(8);
  await expect(rows.last().getByRole('cell')).toHaveText(['1', '0']);
  await page.getByRole('radio', { name: texts.today }).focus();
  await page.getByRole('radio', { name: texts.sevenDays }).press('ArrowLeft');
  await expect(page.getByRole('table', { name: texts.messagesPerHour })).toBeVisible();
  await page.getByRole('button', { name: adminTexts.viewAsChart }).press('Enter');
  await expect(chart(page)).toBeVisible();

  // The conversation goes to the other desk, which answers.
  await waiting.getByRole('button', { name: 'Reassign Adaeze Obi' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox').selectOption(other.alias);
  await dialog.getByRole('button', { name: adminTexts.reassign }).click();
  await expect(dialog).toBeHidden();
  await expect(waiting.getByRole('row', { name: /mara-tour/ })).toBeVisible();
  const handlers = page.getByRole('region', { name: texts.handlers });
  await expect(handlers.getByRole('listitem').first()).toContainText(/mara-tourNot seen yet1 open–/);
  await signIn(console, other);
  await expect(handlers.getByRole('listitem').first()).toContainText(/mara-tourOnline/);
  await console.getByRole('link', { name: /Adaeze Obi/ }).click();
  await send(console, 'It is.');
  await expect(stat(page, texts.messages)).toHaveAccessibleName(/^Messages 2 /);
  await expect(stat(page, texts.waitingNow)).toHaveAccessibleName(/^Waiting now 0 No one waiting$/);
  await expect(stat(page, texts.medianFirstReply)).toHaveAccessibleName(/^Median first reply \d/);
  await expect(invites).toContainText(/Replied1100%/);
  expect(await page.evaluate(() => 'sameDocument' in globalThis)).toBe(true);

  await page.getByRole('link', { name: texts.newInvite }).click();
  await expect(page).toHaveURL(/\/admin\/invites\/new$/);
});
