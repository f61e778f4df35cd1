import { expect, type Page } from '@playwright/test';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { landingTexts } from '@settee/protocol/texts/landingTexts';
import { setupTexts } from '@settee/protocol/texts/setupTexts';
import { enterAdmin } from '../product/admins.ts';
import { enterConsole } from '../product/people.ts';
import { type State, shows } from './stage.ts';

/** The sign-in of the admin area, and the frame around its pages. */
export const adminFrameStates: State[] = [
  {
    name: 'admin-denied',
    async reach({ page, desk }) {
      await enterConsole(page, desk.handler, '/admin');
      await shows(page, adminTexts.accessDeniedNote);
    },
  },
  {
    name: 'setup',
    async reach({ page }) {
      // The test installation has an administrator. The page looks the same.
      await page.route('**/setup', (route) =>
        new URL(route.request().url()).pathname === '/setup'
          ? route.fulfill({ json: { success: true, needed: true } })
          : route.continue(),
      );
      await page.goto('/admin/setup');
      await shows(page, setupTexts.submit);
    },
  },
  {
    name: 'admin-first-steps',
    async reach({ page }) {
      const steps = { success: true, profile: true, handler: false, invite: false };
      await page.route('**/manage/first-steps', (route) => route.fulfill({ json: steps }));
      await enterAdmin(page);
      await shows(page, setupTexts.stepsTitle);
    },
  },
  {
    name: 'landing-empty',
    async reach({ page }) {
      await page.route('**/setup', (route) => route.fulfill({ json: { success: true, needed: true } }));
      await page.goto('/');
      await shows(page, landingTexts.landingEmpty);
    },
  },
  {
    name: 'admin-person-menu',
    async reach({ page }) {
      await enterAdmin(page);
      await openPersonMenu(page);
    },
    async again(page) {
      await page.reload();
      await expect(page.getByRole('navigation', { name: 'Admin area' })).toBeAttached();
      await openPersonMenu(page);
    },
  },
];

async function openPersonMenu(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: adminTexts.menu, exact: true });
  // On a phone it is in the sheet that the top bar's button opens.
  if (await menu.isVisible()) await menu.click();
  await page.getByRole('button', { name: new RegExp(`^${consoleTexts.me}`) }).click();
  await expect(page.getByRole('menu')).toBeVisible();
}
