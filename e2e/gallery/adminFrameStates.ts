import { expect } from '@playwright/test';
import { adminTexts } from '@settee/protocol/adminTexts';
import { consoleTexts } from '@settee/protocol/consoleTexts';
import { enterAdmin } from '../product/admins.ts';
import { signIn } from '../product/people.ts';
import { type State, shows } from './stage.ts';

/** The admin area's gate, and what stands around every place in it. */
export const adminFrameStates: State[] = [
  {
    name: 'admin-denied',
    async reach({ page, desk }) {
      await signIn(page, desk.handler);
      await page.goto('/admin');
      await shows(page, adminTexts.accessDeniedNote);
    },
  },
  {
    name: 'admin-person-menu',
    // On a phone it is on the sheet behind the top bar's button.
    fleeting: true,
    async reach({ page }) {
      await enterAdmin(page);
      const menu = page.getByRole('button', { name: adminTexts.menu, exact: true });
      if (await menu.isVisible()) await menu.click();
      await page.getByRole('button', { name: new RegExp(`^${consoleTexts.me}`) }).click();
      await expect(page.getByRole('menu')).toBeVisible();
    },
  },
];
