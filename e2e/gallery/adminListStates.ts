import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import type { DeletedRow } from '@settee/protocol/model/conversation';
import type { ManagedInvite } from '@settee/protocol/model/managedInvite';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { apiKeyTexts } from '@settee/protocol/texts/apiKeyTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { conversationAdminTexts } from '@settee/protocol/texts/conversationAdminTexts';
import { deletedTexts } from '@settee/protocol/texts/deletedTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts } from '@settee/protocol/texts/inviteAdminTexts';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { webhookTexts } from '@settee/protocol/texts/webhookTexts';
import { createHandler } from '../product/accounts.ts';
import { enterAdmin } from '../product/admins.ts';
import { type Left, makeConversations, makeThread, writeNotes } from '../product/database.ts';
import { answer, conversation, type Stage, shows, states } from './stage.ts';

const NOW = Date.now();
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

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
async function openPeople(page: Page, listed: object[] = people): Promise<void> {
  await page.route('**/manage/staff?*', (route) => {
    const search = new URL(route.request().url()).searchParams;
    const shown = search.get('show') === 'active' ? listed : [];
    return route.fulfill({ json: { success: true, people: shown, next: null } });
  });
  await answer(page, '**/manage/staff/*/leaving', { conversations: 9, invites: 40 });
  await enterAdmin(page, { path: '/admin/handlers' });
  await shows(page, 'Noor Haddad');
}

export const peopleStates = states({
  handlers: ({ page }) => openPeople(page),
  'handlers-none': async ({ page }) => {
    await openPeople(page);
    await page.getByRole('radio', { name: peopleTexts.deactivated }).check();
    await shows(page, peopleTexts.emptyDeactivated);
  },
  'handlers-add': async ({ page }) => {
    await openPeople(page);
    await page.getByRole('button', { name: peopleTexts.add }).click();
    await page.getByRole('button', { name: peopleTexts.addSubmit }).click();
    await shows(page, peopleTexts.deskMissing);
  },
  'handlers-desks': async ({ page }) => {
    const names = { 'mara-east': 'Front Desk', 'mara-press': 'Press' };
    await answer(page, '**/desks', {
      desks: [
        { alias: 'mara-east', people: ['Ana Kovač', 'Robin Demo'], online: true },
        { alias: 'mara-press', people: ['Robin Demo'], online: true },
        { alias: 'mara-night', people: ['Pia von Hohenzollern-Sigmaringen'], online: false },
      ],
      names,
    });
    const several = person({ name: 'Robin Demo', alias: 'mara-east', desks: Object.keys(names), open: 3 });
    await openPeople(page, [several, ...people]);
    await page
      .getByRole('button', { name: fillText(peopleTexts.actionsFor, { name: 'Robin Demo' }) })
      .click();
    await page.getByRole('menuitem', { name: peopleTexts.desks }).click();
    await shows(page, 'mara-night');
  },
  'handlers-deactivate': async ({ page }) => {
    await openPeople(page);
    const name = 'Mara Lindqvist';
    await page.getByRole('button', { name: fillText(peopleTexts.actionsFor, { name }) }).click();
    await page.getByRole('menuitem', { name: peopleTexts.deactivate }).click();
    await shows(page, fillText(peopleTexts.deskLeft, { alias: 'mara-east' }));
  },
  'password-link': async ({ page }) => {
    await answer(page, '**/auth/staff/password-link', {
      name: 'Mara Lindqvist',
      email: 'mara@settee.example',
    });
    await page.goto(`/handler/password#${'a'.repeat(32)}`);
    await page.getByRole('button', { name: peopleTexts.savePassword }).click();
    await shows(page, peopleTexts.passwordTooShort);
  },
});

/** The invites page of the admin area. */
export const inviteStates = states({
  'admin-invites': async ({ page }) => {
    await openInvites(page, someInvites());
    await page.getByRole('checkbox', { name: /no\. 60/ }).check();
    await shows(page, '1 selected');
  },
  'admin-invites-empty': async ({ page }) => {
    await openInvites(page, []);
    await shows(page, inviteAdminTexts.empty);
  },
  'admin-invite-made': async ({ page, desk }) => {
    await enterAdmin(page, { path: '/admin/invites/new' });
    await page.getByLabel(inviteAdminTexts.label).fill('Lyon reading, no. 60');
    await page.getByLabel(inviteAdminTexts.desk).selectOption(desk.handler.alias);
    await page.getByRole('button', { name: inviteAdminTexts.create }).click();
    await expect(page.getByRole('img', { name: /QR/ })).toBeVisible();
  },
  'admin-invites-made': makeSeveral,
  'admin-invites-import': async ({ page, desk }) => {
    await enterAdmin(page, { path: '/admin/invites/import' });
    const file = {
      name: 'list.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`Lyon reading,${desk.handler.alias},30`),
    };
    await page.getByLabel(inviteAdminTexts.importFile).setInputFiles(file);
    await shows(page, 'list.csv, rows: 1');
  },
  'admin-invites-importing': async ({ page, desk }) => {
    await enterAdmin(page, { path: '/admin/invites/import' });
    let calls = 0;
    await page.route('**/manage/invites', (route) => {
      calls += 1;
      // The third call gets no answer.
      return calls < 3 ? route.continue() : undefined;
    });
    const rows = Array.from({ length: 2_400 }, (_, index) => `"Import, no. ${index + 1}"`);
    const file = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) };
    await page.getByLabel(inviteAdminTexts.importFile).setInputFiles(file);
    await page.getByLabel(inviteAdminTexts.defaultDesk).selectOption(desk.handler.alias);
    await page.getByRole('button', { name: /^Create/ }).click();
    await shows(page, '1,000 of 2,400');
  },
  'admin-invites-sheet': async (stage) => {
    await makeSeveral(stage);
    await stage.page.getByRole('button', { name: inviteAdminTexts.printSheet }).click();
    await expect(stage.page.getByRole('img', { name: /QR/ })).toHaveCount(13);
  },
  'admin-invites-printed': async (stage) => {
    await makeSeveral(stage);
    await stage.page.getByRole('button', { name: inviteAdminTexts.printSheet }).click();
    await stage.page.getByRole('button', { name: inviteAdminTexts.print, exact: true }).click();
    await shows(stage.page, inviteAdminTexts.printedTitle);
  },
  'admin-invites-ended-early': async ({ page, desk }) => {
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
    await page.getByLabel(inviteAdminTexts.importText).fill(rows.join('\n'));
    await page.getByLabel(inviteAdminTexts.defaultDesk).selectOption(desk.handler.alias);
    await page.getByRole('button', { name: /^Create/ }).click();
    await shows(page, fillText(inviteAdminTexts.continueRemaining, { count: '200' }));
  },
});

async function makeSeveral({ page, desk }: Stage): Promise<void> {
  await enterAdmin(page, { path: '/admin/invites/bulk' });
  await page.getByLabel(inviteAdminTexts.prefix).fill('Lyon reading');
  await page.locator('form').getByLabel(inviteAdminTexts.count, { exact: true }).fill('13');
  await page.getByLabel(inviteAdminTexts.desk).selectOption(desk.handler.alias);
  await page.getByRole('button', { name: /^Create/ }).click();
  await shows(page, '13 invites created');
}

/** The test installation has thousands of both. A few are enough for a screenshot. */
async function openInvites(page: Page, rows: SentInvite[]): Promise<void> {
  const counts = { NEW: 0, SEEN: 0, BOUND: 0, REVOKED: 0, EXPIRED: 0 };
  for (const { state } of rows) counts[state] += 1;
  await answer(page, /\/manage\/invites(\?|$)/, {
    rows,
    next: rows.length > 0 ? `1_${randomUUID()}` : null,
    counts,
  });
  await answer(page, '**/desks', { desks: [{ alias: 'mara-east', people: ['Ana Kovač'], online: true }] });
  await enterAdmin(page, { path: '/admin/invites' });
  await shows(page, adminTexts.invites);
}

/** The page checks it, so optional fields may be missing. */
type SentInvite = Partial<ManagedInvite> & Pick<ManagedInvite, 'state'>;

function someInvites(): SentInvite[] {
  const started = (visitorName: string) => ({ id: randomUUID(), visitorId: randomUUID(), visitorName });
  const invite = (label: string, more: Partial<ManagedInvite>): SentInvite => ({
    id: randomUUID(),
    label,
    state: 'NEW',
    handlerAlias: 'mara-east',
    createdAt: NOW - 2 * DAY_MS,
    expiresAt: NOW + 15 * DAY_MS,
    seenAt: null,
    boundAt: null,
    revokedAt: null,
    keepDays: null,
    conversation: null,
    ...more,
  });
  const seenAt = NOW - 3 * HOUR_MS;
  const boundAt = NOW - 2 * HOUR_MS;
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
    invite('Spring letter', { state: 'EXPIRED', expiresAt: NOW - DAY_MS, createdAt: NOW - 31 * DAY_MS }),
  ];
}

const WEBHOOK = randomUUID();

const aKey = {
  prefix: 'settee_AbCdEf',
  createdBy: 'Ana Kovač',
  creatorActive: true,
  createdAt: NOW - 20 * DAY_MS,
  expiresAt: null,
  lastUsedAt: NOW - 240_000,
};
const keys = [
  { ...aKey, id: randomUUID(), name: 'Shop', scopes: ['invites:read', 'invites:write'] },
  {
    ...aKey,
    id: randomUUID(),
    name: 'Customer database',
    scopes: ['conversations:read', 'messages:read'],
    createdBy: 'Ömer Yıldız',
    creatorActive: false,
    expiresAt: NOW - DAY_MS,
    lastUsedAt: null,
  },
];

const aWebhook = {
  events: ['invite.started', 'conversation.waiting', 'conversation.closed'],
  withText: false,
  state: 'active',
  createdAt: NOW - 9 * DAY_MS,
  failingSince: null,
  previousSecretUntil: null,
};
const webhooks = [
  { ...aWebhook, id: WEBHOOK, url: 'https://hooks.example.org/settee', previousSecretUntil: NOW + DAY_MS },
  {
    ...aWebhook,
    id: randomUUID(),
    url: 'https://erp.example.com/in/9b1c',
    events: ['message.stored'],
    withText: true,
    state: 'disabled',
    failingSince: NOW - 5 * DAY_MS,
  },
];

const aDelivery = {
  type: 'conversation.waiting',
  conversationId: randomUUID(),
  inviteId: randomUUID(),
  attempts: 1,
  triedAt: NOW - 60_000,
  status: 200,
  problem: null,
  tookMs: 84,
  nextAt: null,
};
const deliveries = [
  { ...aDelivery, state: 'waiting', status: 503, attempts: 3, nextAt: NOW + 120_000 },
  { ...aDelivery, state: 'delivered' },
  { ...aDelivery, state: 'delivered', type: 'invite.opened', conversationId: null },
  { ...aDelivery, state: 'failed', status: null, problem: 'timeout', attempts: 11, tookMs: 10_000 },
].map((each, index) => ({ ...each, id: randomUUID(), position: 40 - index, at: NOW - index * 300_000 }));

/** All states share the installation's lists, so this replaces them. */
async function openIntegrations(
  page: Page,
  { empty = false, path = '/admin/integrations' } = {},
): Promise<void> {
  await answer(page, '**/manage/keys', { keys: empty ? [] : keys });
  await answer(page, '**/manage/webhooks', { webhooks: empty ? [] : webhooks });
  await answer(page, '**/manage/webhooks/*/deliveries*', { deliveries, next: null });
  await enterAdmin(page, { path });
}

export const integrationStates = states({
  integrations: async ({ page }) => {
    await openIntegrations(page);
    await shows(page, 'Customer database');
  },
  'integrations-none': async ({ page }) => {
    await openIntegrations(page, { empty: true });
    await shows(page, webhookTexts.empty);
  },
  'api-key-new': async ({ page }) => {
    await openIntegrations(page);
    await page.getByRole('button', { name: apiKeyTexts.create }).click();
    await shows(page, apiKeyTexts.createTitle);
  },
  'webhook-new': async ({ page }) => {
    await openIntegrations(page);
    await page.getByRole('button', { name: webhookTexts.add }).click();
    await shows(page, webhookTexts.addTitle);
  },
  'webhook-deliveries': async ({ page }) => {
    await openIntegrations(page, { path: `/admin/integrations/${WEBHOOK}` });
    await shows(page, webhookTexts.problems.timeout);
  },
  'api-key-shown': async ({ page }) => {
    await openIntegrations(page);
    await page.route('**/manage/keys', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ json: { success: true, key: keys[0], secret: `settee_${'A'.repeat(43)}` } })
        : route.fallback(),
    );
    await page.getByRole('button', { name: apiKeyTexts.create }).click();
    await page.getByLabel(apiKeyTexts.name).fill('Shop');
    await page.getByLabel('invites:write').check();
    await page.getByRole('dialog').getByRole('button', { name: apiKeyTexts.create }).click();
    await shows(page, apiKeyTexts.secretNote);
  },
  'webhook-refused': async ({ page }) => {
    await openIntegrations(page);
    await page.unroute('**/manage/webhooks');
    await page.getByRole('button', { name: webhookTexts.add }).click();
    await page.getByLabel(webhookTexts.url).fill('https://10.0.0.1');
    await page.getByRole('dialog').getByRole('button', { name: webhookTexts.add }).click();
    await shows(page, webhookTexts.urlRefused);
  },
  'webhook-delete': async ({ page }) => {
    await openIntegrations(page);
    await page
      .getByRole('button', { name: /^Actions for https/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: webhookTexts.remove }).click();
    await shows(page, webhookTexts.removeNote);
  },
  'webhook-gone': async ({ page }) => {
    await openIntegrations(page, { path: `/admin/integrations/${randomUUID()}` });
    await shows(page, webhookTexts.noSuchWebhook);
  },
});

/** As in the design: waiting, closed and blocked visitors. */
const visitors: Left[] = [
  { name: '', text: '[Media]', minutesAgo: 18, waitingMinutes: 18 },
  {
    name: 'Adaeze Obi',
    text: 'Is the Berlin date still on? I booked a train for it this morning.',
    minutesAgo: 26,
    waitingMinutes: 6,
  },
  { name: 'سارة المنصوري', text: 'شكرا', minutesAgo: 41 },
  { name: 'Tomás Herrera', text: 'See you at the book fair, then!', minutesAgo: 125, from: 'owner' },
  { name: 'Ewa Nowak', text: 'Until next time!', minutesAgo: 340, status: 'closed' },
  { name: 'Buy now', text: 'Cheapest prices on the whole wide web', minutesAgo: 900, status: 'blocked' },
];

async function openConversations({ page }: Stage): Promise<string> {
  const { alias } = createHandler();
  await makeConversations(alias, visitors);
  const id = await makeThread(alias, 'Jonas Weber', conversation(), 1);
  await writeNotes(id, [{ afterSeq: 4, text: 'An old friend of the house.', at: new Date() }]);
  await enterAdmin(page, { path: `/admin/conversations?alias=${alias}` });
  await shows(page, 'Jonas Weber');
  return id;
}

export const conversationAdminStates = states({
  'admin-conversations': async (stage) => {
    await openConversations(stage);
    for (const name of ['Adaeze Obi', 'Jonas Weber']) {
      await stage.page.getByRole('checkbox', { name: `Select ${name}` }).check();
    }
    await shows(stage.page, '2 selected');
  },
  'admin-conversations-none': async ({ page }) => {
    const { alias } = createHandler();
    await enterAdmin(page, { path: `/admin/conversations?alias=${alias}` });
    await shows(page, adminTexts.noMatches);
  },
  'admin-conversation': async (stage) => {
    await openConversations(stage);
    await stage.page.getByRole('link', { name: /Jonas Weber/ }).click();
    await shows(stage.page, conversationAdminTexts.viewing);
    await shows(stage.page, 'Then we are two.');
  },
  'admin-conversations-deleted': async (stage) => {
    await stage.page.route('**/manage/conversations?*', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...((await answer.json()) as object), deleted: deletedRows() } });
    });
    await openConversations(stage);
    await stage.page.getByText('Deleted (3)').click();
    await shows(stage.page, deletedTexts.note);
  },
  'admin-conversation-menu': async (stage) => {
    await openConversations(stage);
    await stage.page.getByRole('button', { name: 'Actions for Jonas Weber' }).click();
    await shows(stage.page, conversationAdminTexts.block);
  },
  'admin-message-search': async (stage) => {
    await openConversations(stage);
    await stage.page.goto('/admin/conversations?q=Berlin&in=messages');
    await expect(stage.page.locator('mark').first()).toBeVisible();
  },
  'admin-message-search-start': async ({ page }) => {
    await enterAdmin(page, { path: '/admin/conversations?in=messages' });
    await shows(page, conversationAdminTexts.searchStart);
  },
  'admin-conversation-block': async (stage) => {
    await openConversations(stage);
    await stage.page.getByRole('link', { name: /Adaeze Obi/ }).click();
    await stage.page.getByRole('button', { name: adminTexts.moreActions, exact: true }).click();
    await stage.page.getByRole('menuitem', { name: conversationAdminTexts.block }).click();
    await shows(stage.page, consoleTexts.blockNote);
  },
});

function deletedRows(): DeletedRow[] {
  const by = ['visitor', 'staff', 'retention'] as const;
  return by.map((side, days) => ({
    conversationId: randomUUID(),
    handlerAlias: 'mara-east',
    deletedAt: NOW - days * DAY_MS,
    by: side,
  }));
}
