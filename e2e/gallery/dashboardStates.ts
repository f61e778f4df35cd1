import type { Page } from '@playwright/test';
import type { Dashboard } from '@settee/protocol/model/dashboard';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { dashboardTexts } from '@settee/protocol/texts/dashboardTexts';
import { enterAdmin } from '../product/admins.ts';
import { type State, shows } from './stage.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The week of the design. The test installation has hundreds of desks, and other figures in each run. */
export const dashboardStates: State[] = [
  {
    name: 'admin-dashboard',
    async reach({ page }) {
      await showFigures(page, fullWeek());
      await shows(page, '1,284');
      await page.locator('canvas').waitFor();
    },
  },
  {
    name: 'admin-dashboard-day',
    async reach({ page }) {
      await showFigures(page, fullWeek());
      await page.locator('canvas').waitFor();
      await page.getByRole('slider').focus();
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
    },
  },
  {
    name: 'admin-dashboard-table',
    async reach({ page }) {
      await showFigures(page, fullWeek());
      await page.getByRole('button', { name: dashboardTexts.medianFirstReply }).click();
      await page.getByRole('button', { name: adminTexts.viewAsTable }).click();
      await shows(page, dashboardTexts.day);
    },
  },
  {
    name: 'admin-dashboard-empty',
    async reach({ page }) {
      await showFigures(page, { ...emptyWeek(), handlers: [] });
      await shows(page, dashboardTexts.nobodyWaiting);
      await page.locator('canvas').waitFor();
    },
  },
];

async function showFigures(page: Page, dashboard: Dashboard): Promise<void> {
  await page.route('**/manage/dashboard?*', (route) => route.fulfill({ json: { success: true, dashboard } }));
  await page.route('**/manage/first-steps', (route) =>
    route.fulfill({ json: { success: true, profile: true, handler: true, invite: true } }),
  );
  await enterAdmin(page, { path: '/admin/dashboard' });
}

function emptyWeek(): Dashboard {
  const now = Date.now();
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  return {
    period: '7days',
    now,
    messages: { visitors: 0, replies: 0, before: 0 },
    conversations: { count: 0, before: 0 },
    firstReply: { medianMs: null, beforeMs: null },
    waiting: { count: 0, longestSince: null, classes: [0, 0, 0, 0, 0], rows: [] },
    slots: [6, 5, 4, 3, 2, 1, 0].map((ago) => ({
      start: midnight - ago * DAY_MS,
      visitors: 0,
      replies: 0,
      conversations: 0,
      firstReplyMs: null,
    })),
    handlers: [],
    invites: { created: 0, opened: 0, started: 0, replied: 0 },
    unopened: null,
  };
}

function fullWeek(): Dashboard {
  const empty = emptyWeek();
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
function desk(
  alias: string,
  open: number,
  seconds: number,
  seen: number | null,
): Dashboard['handlers'][number] {
  return {
    alias,
    people: ['Ana Kovač'],
    online: seen === null,
    lastSeenAt: seen,
    open,
    firstReplyMs: seconds * 1_000,
  };
}
