import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { apiKeyTexts } from '@settee/protocol/texts/apiKeyTexts';
import { webhookTexts } from '@settee/protocol/texts/webhookTexts';
import { enterAdmin } from '../product/admins.ts';
import { type State, shows } from './stage.ts';

const NOW = Date.now();
const DAY_MS = 24 * 3_600_000;
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
async function enter(page: Page, { empty = false, path = '/admin/integrations' } = {}): Promise<void> {
  await page.route('**/manage/keys', (route) =>
    route.fulfill({ json: { success: true, keys: empty ? [] : keys } }),
  );
  await page.route('**/manage/webhooks', (route) =>
    route.fulfill({ json: { success: true, webhooks: empty ? [] : webhooks } }),
  );
  await page.route('**/manage/webhooks/*/deliveries*', (route) =>
    route.fulfill({ json: { success: true, deliveries, next: null } }),
  );
  await enterAdmin(page, { path });
}

export const integrationStates: State[] = [
  {
    name: 'integrations',
    async reach({ page }) {
      await enter(page);
      await shows(page, 'Customer database');
    },
  },
  {
    name: 'integrations-none',
    async reach({ page }) {
      await enter(page, { empty: true });
      await shows(page, webhookTexts.empty);
    },
  },
  {
    name: 'api-key-new',
    async reach({ page }) {
      await enter(page);
      await page.getByRole('button', { name: apiKeyTexts.create }).click();
      await shows(page, apiKeyTexts.createTitle);
    },
  },
  {
    name: 'webhook-new',
    async reach({ page }) {
      await enter(page);
      await page.getByRole('button', { name: webhookTexts.add }).click();
      await shows(page, webhookTexts.addTitle);
    },
  },
  {
    name: 'webhook-deliveries',
    async reach({ page }) {
      await enter(page, { path: `/admin/integrations/${WEBHOOK}` });
      await shows(page, webhookTexts.problems.timeout);
    },
  },
  {
    name: 'api-key-shown',
    async reach({ page }) {
      await enter(page);
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
  },
  {
    name: 'webhook-refused',
    async reach({ page }) {
      await enter(page);
      await page.unroute('**/manage/webhooks');
      await page.getByRole('button', { name: webhookTexts.add }).click();
      await page.getByLabel(webhookTexts.url).fill('https://10.0.0.1');
      await page.getByRole('dialog').getByRole('button', { name: webhookTexts.add }).click();
      await shows(page, webhookTexts.urlRefused);
    },
  },
  {
    name: 'webhook-delete',
    async reach({ page }) {
      await enter(page);
      await page
        .getByRole('button', { name: /^Actions for https/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: webhookTexts.remove }).click();
      await shows(page, webhookTexts.removeNote);
    },
  },
  {
    name: 'webhook-gone',
    async reach({ page }) {
      await enter(page, { path: `/admin/integrations/${randomUUID()}` });
      await shows(page, webhookTexts.noSuchWebhook);
    },
  },
];
