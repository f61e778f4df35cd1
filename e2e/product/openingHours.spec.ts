import type { Page } from '@playwright/test';
import { hoursTexts } from '@settee/protocol/texts/hoursTexts';
import { texts } from '@settee/protocol/texts/texts';
import { enterAdmin } from './admins.ts';
import { chatOfTwo, expectTexts, newPerson, send } from './people.ts';
import { expect, test } from './watched.ts';

test('[PROFILE-06] hours show the away message to visitors of that desk, and nothing to its handlers', async ({
  browser,
}) => {
  const { visitor, desk, handler } = await chatOfTwo(browser, 'Léa Moreau');
  const { visitor: other } = await chatOfTwo(browser, 'Tom');
  const note = (page: Page) => page.getByRole('status').filter({ hasText: texts.away });
  await send(visitor, 'Hello');
  await expectTexts(desk, ['Hello']);
  await expect(note(visitor)).toHaveCount(0);

  // Open on one day only, neither today nor tomorrow.
  const { page: admin } = await newPerson(browser);
  await enterAdmin(admin, { path: '/admin/hours' });
  await admin.getByRole('button', { name: `Set hours for ${handler.alias}` }).click();
  const dialog = admin.getByRole('dialog');
  const openDay = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'Europe/Berlin' }).format(
    Date.now() + 3 * 86_400_000,
  );
  await dialog.getByLabel('Time zone').selectOption('Europe/Berlin');
  for (const day of hoursTexts.days) await dialog.getByLabel(`Open on ${day}`).setChecked(day === openDay);
  await dialog.getByLabel(`${openDay}, from`).fill('10:30');
  await dialog.getByLabel(`${openDay}, to`).fill('12:00');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(admin.getByRole('listitem').filter({ hasText: handler.alias })).toContainText('10:30–12:00');

  // The visitor's open page updates by itself, and the visitor can still write.
  await expect(note(visitor)).toHaveText(`${texts.away} Back ${openDay} at 10:30`);
  await expect(note(other)).toHaveCount(0);
  await send(visitor, 'Anyone?');
  await expectTexts(desk, ['Hello', 'Anyone?']);
  await expect(desk.getByText(texts.away)).toHaveCount(0);
  await send(desk, 'Yes, by chance');
  await expectTexts(visitor, ['Hello', 'Anyone?', 'Yes, by chance']);
  await visitor.reload();
  await expect(note(visitor)).toBeVisible();

  await admin.getByRole('button', { name: `Edit hours of ${handler.alias}` }).click();
  await dialog.getByRole('button', { name: 'Remove hours' }).click();
  await expect(note(visitor)).toHaveCount(0);
  await expect(visitor.getByPlaceholder('Message...')).toBeVisible();
});
