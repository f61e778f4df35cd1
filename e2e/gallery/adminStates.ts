import { expect, type Page } from '@playwright/test';
import type { Dashboard } from '@settee/protocol/model/dashboard';
import type { MailFigure } from '@settee/protocol/model/mail';
import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { dashboardTexts } from '@settee/protocol/texts/dashboardTexts';
import { erasureTexts } from '@settee/protocol/texts/erasureTexts';
import { hoursTexts } from '@settee/protocol/texts/hoursTexts';
import { landingTexts } from '@settee/protocol/texts/landingTexts';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { setupTexts } from '@settee/protocol/texts/setupTexts';
import { staffMailTexts } from '@settee/protocol/texts/staffMailTexts';
import { aDashboard } from '../../web/test/aDashboard.ts';
import { createHandler } from '../product/accounts.ts';
import { appCode, createAdmin, endGrace, enterAdmin } from '../product/admins.ts';
import { inDatabase } from '../product/database.ts';
import { type Account, enterConsole, fillSignIn } from '../product/people.ts';
import { drawing } from './drawings.ts';
import { answer, shows, states } from './stage.ts';

/** The sign-in of the admin area, and the frame around its pages. */
export const adminFrameStates = states({
  'admin-denied': async ({ page, desk }) => {
    await enterConsole(page, desk.handler, '/admin');
    await shows(page, adminTexts.accessDeniedNote);
  },
  setup: async ({ page }) => {
    // The test installation has an administrator. The page looks the same.
    await page.route('**/setup', (route) =>
      new URL(route.request().url()).pathname === '/setup'
        ? route.fulfill({ json: { success: true, needed: true } })
        : route.continue(),
    );
    await page.goto('/admin/setup');
    await shows(page, setupTexts.submit);
  },
  'admin-first-steps': async ({ page }) => {
    await answer(page, '**/manage/first-steps', { profile: true, handler: false, invite: false });
    await enterAdmin(page);
    await shows(page, setupTexts.stepsTitle);
  },
  'admin-empty': async ({ page }) => {
    await answer(page, '**/setup', { needed: true });
    await page.goto('/admin');
    await shows(page, setupTexts.emptyTitle);
  },
  'landing-empty': async ({ page }) => {
    await answer(page, '**/setup', { needed: true });
    await page.goto('/');
    await shows(page, landingTexts.landingEmpty);
  },
  'admin-person-menu': {
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
});

async function openPersonMenu(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: adminTexts.menu, exact: true });
  // On a phone it is in the sheet that the top bar's button opens.
  if (await menu.isVisible()) await menu.click();
  await page.getByRole('button', { name: new RegExp(`^${consoleTexts.me}`) }).click();
  await expect(page.getByRole('menu')).toBeVisible();
}

export const securityStates = states({
  'enrol-choose': async ({ page }) => {
    const admin = createAdmin();
    await endGrace(admin.email);
    await enterDoor(page, admin);
    await shows(page, accountTexts.bannerOverdue);
    await page.goto('/admin');
    await shows(page, accountTexts.choosePasskeyNote);
  },
  'second-factor-banner-console': async ({ page }) => {
    await enterDoor(page, createAdmin());
    await shows(page, accountTexts.bannerSetUp);
  },
  'second-factor-banner-admin': async ({ page }) => {
    await enterDoor(page, createAdmin());
    await shows(page, accountTexts.bannerSetUp);
    await page.goto('/admin');
    await shows(page, accountTexts.bannerSetUp);
  },
  'security-page': async ({ page }) => {
    const handler = createHandler();
    await enterConsole(page, handler, '/handler/security');
    await page.getByRole('button', { name: accountTexts.appSetUp }).click();
    await confirmApp(page);
    await shows(page, accountTexts.keepTitle);
    await page.getByRole('button', { name: accountTexts.kept }).click();
    await inDatabase(
      `insert into staff_passkeys (staff_id, credential_id, public_key, counter, transports, name, last_used_at)
       select id, 'gallery ' || id, '', 0, '{}', 'MacBook Pro, at the desk by the window', now() from staff where email = $1`,
      [handler.email],
    );
    await inDatabase(
      `insert into staff_sessions (staff_id, token_hash, browser, network, created_at, expires_at)
       select id, sha256(id::text::bytea), 'Firefox on Android', '203.0.113.*', now() - interval '3 days',
         now() + interval '1 day'
       from staff where email = $1`,
      [handler.email],
    );
    await page.reload();
    await shows(page, accountTexts.recoveryRenew);
    await shows(page, accountTexts.signOutElsewhere);
  },
  'security-app-dialog': async ({ page }) => {
    await enterConsole(page, createHandler(), '/handler/security');
    await page.getByRole('button', { name: accountTexts.appSetUp }).click();
    await secretOf(page);
  },
  'sign-in-second-step': async ({ page }) => {
    const handler = createHandler();
    await enterConsole(page, handler, '/handler/security');
    await page.getByRole('button', { name: accountTexts.appSetUp }).click();
    await confirmApp(page);
    await page.getByRole('button', { name: accountTexts.kept }).click();
    await page.context().clearCookies();
    await enterDoor(page, handler);
    await shows(page, accountTexts.codeTitle);
  },
});

async function enterDoor(page: Page, account: Account): Promise<void> {
  await page.goto('/handler');
  await fillSignIn(page, account);
}

async function secretOf(page: Page): Promise<string> {
  await expect(page.getByRole('img', { name: accountTexts.totpQr })).toBeVisible();
  return page.locator('code').innerText();
}

async function confirmApp(page: Page): Promise<void> {
  await page.getByLabel(accountTexts.totpCode).fill(appCode(await secretOf(page)));
  await page.getByRole('button', { name: accountTexts.totpConfirm }).click();
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The week of the design. The test installation has hundreds of desks, and other figures in each run. */
export const dashboardStates = states({
  'admin-dashboard': async ({ page }) => {
    await showFigures(page, fullWeek());
    await shows(page, '1,284');
    await page.locator('[data-chart]').waitFor();
  },
  'admin-dashboard-day': async ({ page }) => {
    await showFigures(page, fullWeek());
    await page.locator('[data-chart]').waitFor();
    await page.getByRole('slider').focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
  },
  'admin-dashboard-table': async ({ page }) => {
    await showFigures(page, fullWeek());
    await page.getByRole('button', { name: dashboardTexts.medianFirstReply }).click();
    await page.getByRole('button', { name: adminTexts.viewAsTable }).click();
    await shows(page, dashboardTexts.day);
  },
  'admin-dashboard-empty': async ({ page }) => {
    await showFigures(page, aDashboard());
    await shows(page, dashboardTexts.nobodyWaiting);
    await page.locator('[data-chart]').waitFor();
  },
});

async function showFigures(page: Page, dashboard: Dashboard): Promise<void> {
  await answer(page, '**/manage/dashboard?*', { dashboard });
  await answer(page, '**/manage/first-steps', { profile: true, handler: true, invite: true });
  await enterAdmin(page, { path: '/admin/dashboard' });
}

function fullWeek(): Dashboard {
  const empty = aDashboard();
  const { now } = empty;
  const visitors = [84, 96, 71, 118, 104, 132, 57];
  const replies = [79, 93, 66, 110, 101, 121, 52];
  const waits = [185, 210, 242, 176, 203, 192, 148];
  const waiting = [
    { name: '', text: '[Media]', alias: 'mara-east', minutes: 18 },
    {
      name: 'Adaeze Obi',
      text: 'Is the Berlin date still on? I booked the train already',
      alias: 'mara-east',
      minutes: 6,
    },
    {
      name: 'Kenji Nakamura',
      text: 'Thank you! One more question about the map',
      alias: 'mara-tour',
      minutes: 5,
    },
  ];
  return {
    ...empty,
    messages: { visitors: 662, replies: 622, before: 1_146 },
    conversations: { count: 148, before: 137 },
    firstReply: { medianMs: 192_000, beforeMs: 246_000 },
    slots: empty.slots.map((slot, n) => ({
      ...slot,
      visitors: visitors[n] ?? 0,
      replies: replies[n] ?? 0,
      conversations: Math.round((visitors[n] ?? 0) / 4.5),
      firstReplyMs: (waits[n] ?? 0) * 1_000,
    })),
    waiting: {
      count: 6,
      longestSince: now - 18 * MINUTE_MS,
      classes: [3, 2, 1, 0, 0],
      rows: waiting.map(({ name, text, alias, minutes }, n) => ({
        conversationId: `00000000-0000-4000-8000-00000000000${n}`,
        visitorId: `${['8f3a21c0', '5b7c1ad2', '2e91b0f4'][n]}-0000-4000-8000-000000000000`,
        visitorName: name,
        lastMessage: text,
        alias,
        waitingSince: now - minutes * MINUTE_MS,
      })),
    },
    handlers: [
      desk('mara-east', 9, 160, null),
      desk('mara-tour', 8, 185, null),
      desk('mara-press', 6, 440, now - 2 * 60 * MINUTE_MS),
      desk('mara-night', 0, 251, now - 9 * 60 * MINUTE_MS),
    ],
    invites: { created: 320, opened: 241, started: 148, replied: 139 },
    unopened: {
      inviteId: '00000000-0000-4000-8000-000000000060',
      label: 'Lyon reading, no. 60',
      expiresAt: now + 15 * DAY_MS,
    },
  };
}

/** Online, or last seen at this time. */
function desk(alias: string, open: number, seconds: number, lastSeenAt: number | null) {
  return {
    alias,
    people: ['Ana Kovač'],
    online: lastSeenAt === null,
    lastSeenAt,
    open,
    firstReplyMs: seconds * 1_000,
  };
}

/** The profile page and the audit log. */
export const profileStates = states({
  'admin-profile': async ({ page }) => {
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
  'admin-profile-deletion': async ({ page }) => {
    await enterAdmin(page, { path: '/admin/profile' });
    const setting = page.getByRole('checkbox', { name: profileTexts.visitorErase });
    await setting.uncheck();
    await setting.scrollIntoViewIfNeeded();
    await shows(page, adminTexts.unsaved);
  },
  'admin-profile-mail': async ({ page }) => {
    const figures: MailFigure[] = [
      { kind: 'reply', outcome: 'sent', count: 214, lastAt: 0, lastReason: null },
      { kind: 'reply', outcome: 'refused', count: 3, lastAt: 0, lastReason: '550 5.1.1' },
      { kind: 'code', outcome: 'sent', count: 41, lastAt: 0, lastReason: null },
    ];
    await answer(page, '**/manage/mail', { figures });
    await enterAdmin(page, { path: '/admin/profile' });
    await page.getByText(staffMailTexts.figures).scrollIntoViewIfNeeded();
    await shows(page, staffMailTexts.visitorMail);
  },
  'admin-retention': ({ page }) => askRetention(page, 1_284),
  'admin-retention-none': ({ page }) => askRetention(page, 0),
  'admin-profile-crop': async ({ page }) => {
    await enterAdmin(page, { path: '/admin/profile' });
    await page.locator('input[type=file]').setInputFiles(await drawing('lighthouse', 'me.jpg', 900));
    await shows(page, profileTexts.cropHelp);
  },
  'admin-hours': async ({ page }) => {
    await enterAdmin(page, { path: '/admin/hours' });
    await expect(page.getByRole('listitem').nth(3)).toBeVisible();
  },
  'admin-hours-edit': async ({ page }) => {
    await enterAdmin(page, { path: '/admin/hours' });
    await page
      .getByRole('button', { name: /^Set hours for/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Add hours on Monday' }).click();
    await shows(page, hoursTexts.copyToAll);
  },
  'admin-audit': async ({ page }) => {
    await enterAdmin(page, { path: '/admin/audit' });
    await expect(page.getByRole('row').nth(3)).toBeVisible();
  },
  'admin-audit-nothing': async ({ page }) => {
    await enterAdmin(page, { path: '/admin/audit?q=nothing-is-called-like-this' });
    await shows(page, adminTexts.noMatches);
  },
});

/** Before saving, the page asks how many conversations a shorter retention time would erase. */
async function askRetention(page: Page, conversations: number): Promise<void> {
  await answer(page, '**/manage/retention*', { conversations });
  await enterAdmin(page, { path: '/admin/profile' });
  await page.getByRole('radio', { name: profileTexts.keepSome }).check();
  await page.getByLabel(profileTexts.keepDays).fill('30');
  await page.getByRole('button', { name: adminTexts.save, exact: true }).click();
  await shows(page, erasureTexts.termTitle);
}
