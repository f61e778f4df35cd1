import { expect, type Page } from '@playwright/test';
import type { MailFigure } from '@settee/protocol/model/mail';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { erasureTexts } from '@settee/protocol/texts/erasureTexts';
import { hoursTexts } from '@settee/protocol/texts/hoursTexts';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { staffMailTexts } from '@settee/protocol/texts/staffMailTexts';
import { enterAdmin } from '../product/admins.ts';
import { drawing } from './drawings.ts';
import { type State, shows } from './stage.ts';

/** The profile page and the audit log. */
export const profileStates: State[] = [
  {
    name: 'admin-profile',
    async reach({ page }) {
      await enterAdmin(page, { path: '/admin/profile' });
      await page.getByLabel(profileTexts.name, { exact: true }).fill('Mara Lindqvist');
      await page
        .getByLabel(profileTexts.greeting, { exact: true })
        .fill('Hello, and welcome.\n\nAsk me anything about the tour.');
      await page
        .getByLabel(profileTexts.farewell, { exact: true })
        .fill('Thank you for writing. See you soon!');
      await page.getByLabel(profileTexts.awayMessage, { exact: true }).fill('I’m on the road right now.');
      await page.getByRole('radio', { name: profileTexts.keepSome }).check();
      await shows(page, adminTexts.unsaved);
    },
  },
  {
    name: 'admin-profile-deletion',
    async reach({ page }) {
      await enterAdmin(page, { path: '/admin/profile' });
      const setting = page.getByRole('checkbox', { name: profileTexts.visitorErase });
      await setting.uncheck();
      await setting.scrollIntoViewIfNeeded();
      await shows(page, adminTexts.unsaved);
    },
  },
  {
    name: 'admin-profile-mail',
    async reach({ page }) {
      const figures: MailFigure[] = [
        { kind: 'reply', outcome: 'sent', count: 214, lastAt: 0, lastReason: null },
        { kind: 'reply', outcome: 'refused', count: 3, lastAt: 0, lastReason: '550 5.1.1' },
        { kind: 'code', outcome: 'sent', count: 41, lastAt: 0, lastReason: null },
      ];
      await page.route('**/manage/mail', (route) => route.fulfill({ json: { success: true, figures } }));
      await enterAdmin(page, { path: '/admin/profile' });
      await page.getByText(staffMailTexts.figures).scrollIntoViewIfNeeded();
      await shows(page, staffMailTexts.visitorMail);
    },
  },
  { name: 'admin-retention', reach: ({ page }) => askRetention(page, 1_284) },
  { name: 'admin-retention-none', reach: ({ page }) => askRetention(page, 0) },
  {
    name: 'admin-profile-crop',
    async reach({ page }) {
      await enterAdmin(page, { path: '/admin/profile' });
      await page.locator('input[type=file]').setInputFiles(await drawing('lighthouse', 'me.jpg', 900));
      await shows(page, profileTexts.cropHelp);
    },
  },
  {
    name: 'admin-hours',
    async reach({ page }) {
      await enterAdmin(page, { path: '/admin/hours' });
      await expect(page.getByRole('listitem').nth(3)).toBeVisible();
    },
  },
  {
    name: 'admin-hours-edit',
    async reach({ page }) {
      await enterAdmin(page, { path: '/admin/hours' });
      await page
        .getByRole('button', { name: /^Set hours for/ })
        .first()
        .click();
      await page.getByRole('button', { name: 'Add hours on Monday' }).click();
      await shows(page, hoursTexts.copyToAll);
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

/** Before saving, the page asks how many conversations a shorter retention time would erase. */
async function askRetention(page: Page, conversations: number): Promise<void> {
  await page.route('**/manage/retention*', (route) =>
    route.fulfill({ json: { success: true, conversations } }),
  );
  await enterAdmin(page, { path: '/admin/profile' });
  await page.getByRole('radio', { name: profileTexts.keepSome }).check();
  await page.getByLabel(profileTexts.keepDays).fill('30');
  await page.getByRole('button', { name: adminTexts.save, exact: true }).click();
  await shows(page, erasureTexts.termTitle);
}
