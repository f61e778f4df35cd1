import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import type { ManagedInvite } from '@settee/protocol/model/managedInvite';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { enterAdmin } from '../product/admins.ts';
import { type Stage, type State, shows } from './stage.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The invites page of the admin area. */
export const inviteStates: State[] = [
  {
    name: 'admin-invites',
    async reach({ page }) {
      await openList(page, someInvites());
      await page.getByRole('checkbox', { name: /no\. 60/ }).check();
      await shows(page, '1 selected');
    },
  },
  {
    name: 'admin-invites-empty',
    async reach({ page }) {
      await openList(page, []);
      await shows(page, texts.empty);
    },
  },
  {
    name: 'admin-invite-made',
    async reach({ page, desk }) {
      await enterAdmin(page, { path: '/admin/invites/new' });
      await page.getByLabel(texts.label).fill('Lyon reading, no. 60');
      await page.getByLabel(texts.handler).selectOption(desk.handler.alias);
      await page.getByRole('button', { name: texts.create }).click();
      await expect(page.getByRole('img', { name: /QR/ })).toBeVisible();
    },
  },
  {
    name: 'admin-invites-made',
    reach: makeSeveral,
  },
  {
    name: 'admin-invites-import',
    async reach({ page, desk }) {
      await enterAdmin(page, { path: '/admin/invites/import' });
      const file = {
        name: 'list.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`Lyon reading,${desk.handler.alias},30`),
      };
      await page.getByLabel(texts.importFile).setInputFiles(file);
      await shows(page, 'list.csv, rows: 1');
    },
  },
  {
    name: 'admin-invites-importing',
    async reach({ page, desk }) {
      await enterAdmin(page, { path: '/admin/invites/import' });
      let calls = 0;
      await page.route('**/manage/invites', (route) => {
        calls += 1;
        // The third call gets no answer.
        return calls < 3 ? route.continue() : undefined;
      });
      const rows = Array.from({ length: 2_400 }, (_, index) => `"Import, no. ${index + 1}"`);
      const file = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) };
      await page.getByLabel(texts.importFile).setInputFiles(file);
      await page.getByLabel(texts.defaultHandler).selectOption(desk.handler.alias);
      await page.getByRole('button', { name: /^Create/ }).click();
      await shows(page, '1,000 of 2,400');
    },
  },
  {
    name: 'admin-invites-sheet',
    async reach(stage) {
      await makeSeveral(stage);
      await stage.page.getByRole('button', { name: texts.printSheet }).click();
      await expect(stage.page.getByRole('img', { name: /QR/ })).toHaveCount(13);
    },
  },
  {
    name: 'admin-invites-printed',
    async reach(stage) {
      await makeSeveral(stage);
      await stage.page.getByRole('button', { name: texts.printSheet }).click();
      await stage.page.getByRole('button', { name: texts.print, exact: true }).click();
      await shows(stage.page, texts.printedTitle);
    },
  },
  {
    name: 'admin-invites-ended-early',
    async reach({ page, desk }) {
      await enterAdmin(page, { path: '/admin/invites/import' });
      let calls = 0;
      await page.route('**/manage/invites', (route) => {
        calls += 1;
        const error = fillText(peopleTexts.nobodyAt, { alias: desk.handler.alias });
        return calls < 2
          ? route.continue()
          : route.fulfill({ status: 400, json: { success: false, code: 'bad_request', error } });
      });
      const rows = Array.from({ length: 700 }, (_, index) => `"Import, no. ${index + 1}"`);
      await page.getByLabel(texts.importText).fill(rows.join('\n'));
      await page.getByLabel(texts.defaultHandler).selectOption(desk.handler.alias);
      await page.getByRole('button', { name: /^Create/ }).click();
      await shows(page, fillText(texts.continueRemaining, { count: '200' }));
    },
  },
];

async function makeSeveral({ page, desk }: Stage): Promise<void> {
  await enterAdmin(page, { path: '/admin/invites/bulk' });
  await page.getByLabel(texts.prefix).fill('Lyon reading');
  await page.locator('form').getByLabel(texts.count, { exact: true }).fill('13');
  await page.getByLabel(texts.handler).selectOption(desk.handler.alias);
  await page.getByRole('button', { name: /^Create/ }).click();
  await shows(page, '13 invites created');
}

/** The test installation has thousands of both. A few are enough for a screenshot. */
async function openList(page: Page, rows: ManagedInvite[]): Promise<void> {
  const counts = { NEW: 0, SEEN: 0, BOUND: 0, REVOKED: 0, EXPIRED: 0 };
  for (const { state } of rows) counts[state] += 1;
  await page.route(/\/manage\/invites(\?|$)/, (route) =>
    route.fulfill({
      json: { success: true, rows, next: rows.length > 0 ? `1_${randomUUID()}` : null, counts },
    }),
  );
  await page.route('**/desks', (route) =>
    route.fulfill({
      json: { success: true, desks: [{ alias: 'mara-east', people: ['Ana Kovač'], online: true }] },
    }),
  );
  await enterAdmin(page, { path: '/admin/invites' });
  await shows(page, adminTexts.invites);
}

function someInvites(): ManagedInvite[] {
  const now = Date.now();
  const started = (visitorName: string) => ({ id: randomUUID(), visitorId: randomUUID(), visitorName });
  const invite = (label: string, more: Partial<ManagedInvite>): ManagedInvite => ({
    id: randomUUID(),
    label,
    state: 'NEW',
    handlerAlias: 'mara-east',
    createdAt: now - 2 * DAY_MS,
    expiresAt: now + 15 * DAY_MS,
    seenAt: null,
    boundAt: null,
    revokedAt: null,
    keepDays: null,
    conversation: null,
    ...more,
  });
  const seenAt = now - 3 * HOUR_MS;
  const boundAt = now - 2 * HOUR_MS;
  return [
    invite('Lyon reading, no. 60', {}),
    invite('Lyon reading, no. 59', { state: 'SEEN', seenAt }),
    invite('Lyon reading, no. 58', { state: 'BOUND', seenAt, boundAt, conversation: started('Adaeze Obi') }),
    invite('Press day, for whoever comes to the second row on the left', {
      state: 'BOUND',
      handlerAlias: 'mara-press',
      seenAt,
      boundAt,
      conversation: started('Kenji Nakamura'),
    }),
    invite('Berlin, signing', { state: 'BOUND', seenAt, boundAt, conversation: started('') }),
    invite('Berlin, no. 2', { state: 'REVOKED', revokedAt: boundAt }),
    invite('Spring letter', { state: 'EXPIRED', expiresAt: now - DAY_MS, createdAt: now - 31 * DAY_MS }),
  ];
}
