import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { enterAdmin } from './admins.ts';
import { inDatabase } from './database.ts';
import { newPerson } from './people.ts';
import { expect, test } from './watched.ts';

/** A label that no other test has. */
const label = (words: string) => `${words} ${randomUUID().slice(0, 8)}`;
const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name });

async function labelsLike(name: string): Promise<string[]> {
  const { rows } = await inDatabase<{ label: string }>(
    'select label from invites where starts_with(label, $1) order by created_at desc',
    [name],
  );
  return rows.map((row) => row.label);
}

test('[OPEN-294] links count as kept on paper only once somebody says that they did print', async ({
  page,
}) => {
  const { alias } = createHandler();
  await enterAdmin(page, { path: '/admin/invites/bulk' });
  await page.getByLabel('Label prefix').fill(label('Paper'));
  await page.locator('form').getByLabel('How many', { exact: true }).fill('2');
  await page.getByLabel('Handler').selectOption(alias);
  await button(page, 'Create 2 invites').click();
  await button(page, 'Printable sheet').click();
  // Somebody cancels: the browser tells no page about it.
  await page.evaluate(() => Object.assign(globalThis, { print: () => undefined }));
  const question = page.getByRole('dialog', { name: 'Did they print?' });
  await button(page, /^Print$/).click();
  await button(question, 'Not yet').click();
  await button(page, 'Back').click();
  await button(page, 'Another invite').click();
  await button(page.getByRole('dialog', { name: 'Leave without the links?' }), 'Cancel').click();

  await button(page, 'Printable sheet').click();
  await button(page, /^Print$/).click();
  // A browser that does not wait for its printer must not print the question.
  await page.emulateMedia({ media: 'print' });
  await expect(question).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await button(question, 'Yes, they did').click();
  await button(page, 'Back').click();
  await button(page, 'Another invite').click();
  await expect(page.getByLabel('Label prefix')).toBeVisible();
});

