import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { passwordTooShort } from '@settee/protocol/model/password';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { enterAdmin } from '../product/admins.ts';
import { type State, shows } from './stage.ts';

const NOW = Date.now();
const HOUR_MS = 3_600_000;

const nobodySpecial = {
  role: 'handler',
  active: true,
  online: false,
  away: false,
  lastSeenAt: NOW - 2 * HOUR_MS,
  open: 0,
  medianFirstReplyMs: null,
  hasFactor: false,
};

function person(change: object) {
  const id = randomUUID();
  return { id, email: `${id.slice(0, 8)}@settee.example`, ...nobodySpecial, ...change };
}

const people = [
  person({ name: 'Ana Kovač', role: 'admin', alias: null, online: true, hasFactor: true }),
  person({ name: 'Mara Lindqvist', alias: 'mara-east', online: true, open: 9, medianFirstReplyMs: 160_000 }),
  person({
    name: 'Noor Haddad',
    alias: 'mara-tour',
    online: true,
    away: true,
    open: 8,
    medianFirstReplyMs: 185_000,
  }),
  person({ name: 'Ömer Yıldız', alias: 'mara-press', open: 6, medianFirstReplyMs: 440_000, hasFactor: true }),
  person({ name: 'Pia von Hohenzollern-Sigmaringen', alias: 'mara-night', lastSeenAt: null }),
];

/** All states share the installation's list, so this replaces it. */
async function enter(page: Page): Promise<void> {
  await page.route('**/manage/staff?*', (route) => {
    const search = new URL(route.request().url()).searchParams;
    const shown = search.get('show') === 'active' ? people : [];
    return route.fulfill({ json: { success: true, people: shown, next: null } });
  });
  await page.route('**/manage/staff/*/leaving', (route) =>
    route.fulfill({ json: { success: true, conversations: 9, invites: 40 } }),
  );
  await enterAdmin(page, { path: '/admin/handlers' });
  await shows(page, 'Noor Haddad');
}

export const peopleStates: State[] = [
  { name: 'handlers', reach: ({ page }) => enter(page) },
  {
    name: 'handlers-none',
    async reach({ page }) {
      await enter(page);
      await page.getByRole('radio', { name: peopleTexts.deactivated }).check();
      await shows(page, peopleTexts.emptyDeactivated);
    },
  },
  {
    name: 'handlers-add',
    async reach({ page }) {
      await enter(page);
      await page.getByRole('button', { name: peopleTexts.add }).click();
      await page.getByRole('button', { name: peopleTexts.addSubmit }).click();
      await shows(page, peopleTexts.aliasMissing);
    },
  },
  {
    name: 'handlers-deactivate',
    async reach({ page }) {
      await enter(page);
      const name = 'Mara Lindqvist';
      await page.getByRole('button', { name: fillText(peopleTexts.actionsFor, { name }) }).click();
      await page.getByRole('menuitem', { name: peopleTexts.deactivate }).click();
      await shows(page, fillText(peopleTexts.deskLeft, { alias: 'mara-east' }));
    },
  },
  {
    name: 'password-link',
    async reach({ page }) {
      const answer = { success: true, name: 'Mara Lindqvist', email: 'mara@settee.example' };
      await page.route('**/auth/staff/password-link', (route) => route.fulfill({ json: answer }));
      await page.goto(`/handler/password#${'a'.repeat(32)}`);
      await page.getByRole('button', { name: peopleTexts.savePassword }).click();
      await shows(page, passwordTooShort);
    },
  },
];
