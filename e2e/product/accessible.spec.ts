import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { newPerson, send, signIn, startChat } from './people.ts';
import { createHandler, createInvite } from './settee.ts';
import { expect, test } from './watched.ts';

/** axe in both themes, on a phone and on a desk. */
async function expectNoViolations(page: Page): Promise<void> {
  // While it fades, colours are neither the one nor the other.
  await expect(page.locator('#preloader')).toHaveCount(0);
  for (const width of [360, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    }
  }
}

test('[OPEN-42] every state of the visitor’s page passes axe', async ({ page }) => {
  const handler = createHandler();
  const invite = createInvite(handler.alias);
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Open chat' })).toBeVisible();
  await expectNoViolations(page);
  await page.goto('/i/a0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
  await expect(page.getByText('Invite not found')).toBeVisible();
  await expectNoViolations(page);
  await page.goto(invite);
  await expect(page.getByRole('button', { name: 'Start chat' })).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Start chat' }).click();
  await page.getByLabel('Display Name').fill('J');
  await page.getByRole('button', { name: 'Start Chatting' }).click();
  await expectNoViolations(page);
  await startChat(page, invite, 'Jonas');
  await send(page, 'Hello');
  await expect(page.getByText('Sent')).toBeVisible();
  await expectNoViolations(page);
});

test('[OPEN-42] [V-01] [OPEN-45] the page that loads and the page that does not exist pass axe', async ({
  page,
}) => {
  await page.route('**/checkInvite/**', () => {});
  await page.goto(createInvite(createHandler().alias));
  await expect(page.getByRole('status')).toHaveText('Loading...');
  await expectNoViolations(page);
  await page.goto('/nowhere');
  await expect(page.getByRole('link', { name: 'Go to Home' })).toBeVisible();
  await expectNoViolations(page);
});

test('[OPEN-42] every state of the console passes axe', async ({ browser }) => {
  const handler = createHandler();
  const { page: desk } = await newPerson(browser);
  await desk.goto('/handler');
  await expect(desk.getByLabel('Email address')).toBeVisible();
  await expectNoViolations(desk);
  await signIn(desk, handler);
  await expectNoViolations(desk);
  const { page: visitor } = await newPerson(browser);
  await startChat(visitor, createInvite(handler.alias), 'Mia');
  await send(visitor, 'Hello');
  await desk.getByRole('link', { name: /Mia/ }).click();
  await expect(desk.getByPlaceholder('Type your message...')).toBeVisible();
  await expectNoViolations(desk);
});
