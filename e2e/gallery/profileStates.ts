import { expect } from '@playwright/test';
import { adminTexts } from '@settee/protocol/adminTexts';
import { profileTexts } from '@settee/protocol/profileTexts';
import { enterAdmin } from '../product/admins.ts';
import { drawing } from './drawings.ts';
import { type State, shows } from './stage.ts';

/** The public profile's page and the audit log. */
export const profileStates: State[] = [
  {
    name: 'admin-profile',
    async reach({ page }) {
      await enterAdmin(page, { path: '/admin/profile' });
      await page.getByLabel(profileTexts.name, { exact: true }).fill('Mara Lindqvist');
      await page.getByRole('radio', { name: profileTexts.keepSome }).check();
      await shows(page, adminTexts.unsaved);
    },
  },
  {
    name: 'admin-profile-crop',
    async reach({ page }) {
      await enterAdmin(page, { path: '/admin/profile' });
      await page.locator('input[type=file]').setInputFiles(await drawing('lighthouse', 'me.jpg', 900));
      await shows(page, profileTexts.cropHelp);
    },
  },
  {
    name: 'admin-audit',
    async reach({ page }) {
      await enterAdmin(page, { path: '/admin/audit' });
      await expect(page.getByRole('row').nth(3)).toBeVisible();
    },
  },
  {
    name: 'admin-audit-nothing',
    async reach({ page }) {
      await enterAdmin(page, { path: '/admin/audit?q=nothing-is-called-like-this' });
      await shows(page, adminTexts.noMatches);
    },
  },
];
