import { ApiKey } from '@settee/protocol/model/apiKey';
import { Webhook, WebhookDelivery } from '@settee/protocol/model/webhook';
import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { apiKeyTexts } from '@settee/protocol/texts/apiKeyTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { integrationTexts } from '@settee/protocol/texts/integrationTexts';
import { webhookTexts } from '@settee/protocol/texts/webhookTexts';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { idOf } from '../../../test/chats.ts';
import { type Answers, Refused } from '../../../test/fakeGateway.ts';
import { renderAdmin } from '../../../test/renderAdmin.tsx';

/** The page without keys and webhooks, unless these answers have some. */
const renderIntegrations = (answers: Answers, path = '/admin/integrations') =>
  renderAdmin({ path, answers: { readApiKeys: { keys: [] }, readWebhooks: { webhooks: [] }, ...answers } });

describe('API keys', () => {
  const key: ApiKey = {
    ...v.getDefaults(ApiKey),
    id: idOf('Shop'),
    name: 'Shop',
    prefix: 'settee_AbCdEf',
    scopes: ['invites:write'],
    createdAt: Date.parse('2026-11-01T10:00:00Z'),
    createdBy: 'Ada',
    creatorActive: false,
    expiresAt: Date.parse('2026-11-02T10:00:00Z'),
    lastUsedAt: null,
  };

  const secret = `settee_${'A'.repeat(43)}`;

  test('a new key asks for the password, is shown once, and can be copied', async () => {
    const keys: ApiKey[] = [];
    let confirmed = false;
    const { screen, gateway } = await renderIntegrations({
      readApiKeys: () => ({ keys }),
      readAccount: () => new Refused('unavailable'),
      confirmPassword: () => {
        confirmed = true;
        return {};
      },
      createApiKey: () => {
        if (!confirmed) return new Refused('password_required');
        keys.push(key);
        return { key, secret };
      },
    });
    await expect.element(screen.getByText(apiKeyTexts.emptyNote, { exact: false })).toBeVisible();
    await screen.getByRole('button', { name: apiKeyTexts.create }).click();
    const dialog = screen.getByRole('dialog', { name: apiKeyTexts.createTitle });
    const create = dialog.getByRole('button', { name: apiKeyTexts.create });
    await create.click();
    await expect.element(dialog.getByText(apiKeyTexts.nameMissing)).toBeVisible();
    await dialog.getByLabelText(apiKeyTexts.name).fill('Shop');
    await create.click();
    await expect.element(dialog.getByText(apiKeyTexts.scopesMissing)).toBeVisible();
    await dialog.getByRole('checkbox', { name: 'invites:write' }).click();
    await dialog.getByRole('combobox', { name: apiKeyTexts.expiry }).selectOptions('never');
    await create.click();
    const again = screen.getByRole('dialog', { name: accountTexts.againTitle });
    await again.getByLabelText(consoleTexts.signInPassword).fill('secret words');
    await again.getByRole('button', { name: accountTexts.confirm }).click();

    const shown = screen.getByRole('dialog', { name: 'Key for Shop' });
    await expect.element(shown.getByLabelText(apiKeyTexts.secret)).toHaveValue(secret);
    const copy = shown.getByRole('button', { name: integrationTexts.copy });
    await expect.element(copy).toBeVisible();
    // Without copying, the key is lost: only that button has the colour of the main action.
    const groundOf = (button: typeof copy) => getComputedStyle(button.element()).backgroundColor;
    const brand = document.createElement('i');
    brand.style.background = 'var(--brand)';
    shown.element().append(brand);
    expect(groundOf(copy)).toBe(getComputedStyle(brand).backgroundColor);
    expect(groundOf(shown.getByRole('button', { name: integrationTexts.done }))).not.toBe(groundOf(copy));
    await userEvent.keyboard('{Escape}');
    await expect.element(shown).toBeVisible();
    await shown.getByRole('button', { name: integrationTexts.done }).click();
    await expect.element(shown).not.toBeInTheDocument();
    expect(gateway.asked('createApiKey').at(-1)?.body).toEqual({
      name: 'Shop',
      scopes: ['invites:write'],
      days: null,
    });
  });

  test('the list shows scopes, creator, expiry and last use, and revokes a key', async () => {
    const { screen, gateway } = await renderIntegrations({ readApiKeys: { keys: [key] }, revokeApiKey: {} });
    for (const text of ['settee_AbCdEf…', 'invites:write', apiKeyTexts.neverUsed]) {
      await expect.element(screen.getByText(text)).toBeVisible();
    }
    await expect.element(screen.getByText(apiKeyTexts.expired, { exact: true })).toBeVisible();
    await expect.element(screen.getByText(/^Created by Ada \(account deactivated\)/)).toBeVisible();
    await screen.getByRole('button', { name: 'Actions for Shop' }).click();
    await screen.getByRole('menuitem', { name: apiKeyTexts.revoke }).click();
    const dialog = screen.getByRole('dialog', { name: 'Revoke Shop?' });
    await dialog.getByRole('button', { name: apiKeyTexts.revoke }).click();
    await expect.element(screen.getByText('Shop was revoked.')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: apiKeyTexts.create })).toHaveFocus();
    expect(gateway.asked('revokeApiKey')).toMatchObject([{ params: { id: key.id } }]);
  });
});

describe('webhooks', () => {
  const webhook: Webhook = {
    ...v.getDefaults(Webhook),
    id: idOf('Hook'),
    url: 'https://hooks.example.org/settee',
    events: ['message.stored'],
    withText: false,
    state: 'active',
    createdAt: Date.parse('2026-11-01T10:00:00Z'),
    failingSince: null,
    previousSecretUntil: null,
  };

  const delivery: WebhookDelivery = {
    ...v.getDefaults(WebhookDelivery),
    id: idOf('Event'),
    position: 7,
    type: 'message.stored',
    at: Date.parse('2026-11-01T10:00:00Z'),
    conversationId: idOf('Chat'),
    inviteId: idOf('Invite'),
    state: 'failed',
    attempts: 11,
    triedAt: Date.parse('2026-11-02T10:00:00Z'),
    status: 503,
    problem: null,
    tookMs: 12,
    nextAt: null,
  };

  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

  test('a webhook is added without text, and its secret is shown once', async () => {
    const webhooks: Webhook[] = [];
    const { screen, gateway } = await renderIntegrations({
      readWebhooks: () => ({ webhooks }),
      createWebhook: ({ body }) => {
        if (body.url.includes('10.0.0.1'))
          return new Refused('bad_request', { error: webhookTexts.urlRefused });
        webhooks.push(webhook);
        return { webhook, secret };
      },
    });
    await expect.element(screen.getByText(webhookTexts.empty)).toBeVisible();
    await screen.getByRole('button', { name: webhookTexts.add }).click();
    const dialog = screen.getByRole('dialog', { name: webhookTexts.addTitle });
    const add = dialog.getByRole('button', { name: webhookTexts.add });
    await dialog.getByLabelText(webhookTexts.url).fill('10.0.0.1');
    await add.click();
    await expect.element(dialog.getByText(webhookTexts.urlRefused)).toBeVisible();
    await expect.element(add).toHaveFocus();
    await dialog.getByLabelText(webhookTexts.url).fill(' https://Hooks.example.org?shop=1 ');
    await dialog.getByRole('checkbox', { name: 'invite.opened' }).click();
    await expect.element(dialog.getByRole('checkbox', { name: webhookTexts.withText })).not.toBeChecked();
    await add.click();
    const shown = screen.getByRole('dialog', { name: webhookTexts.secretTitle });
    await expect.element(shown.getByLabelText(webhookTexts.secret)).toHaveValue(secret);
    await shown.getByRole('button', { name: integrationTexts.done }).click();
    expect(gateway.asked('createWebhook').at(-1)?.body).toEqual({
      url: 'https://Hooks.example.org?shop=1',
      events: [
        'invite.started',
        'conversation.waiting',
        'conversation.answered',
        'conversation.closed',
        'message.stored',
      ],
      withText: false,
    });
  });

  test('a webhook is paused, gets another secret and is deleted', async () => {
    const { screen, gateway } = await renderIntegrations({
      readWebhooks: { webhooks: [webhook] },
      changeWebhook: {},
      rotateWebhookSecret: { secret, previousUntil: Date.now() },
      deleteWebhook: {},
    });
    const menu = screen.getByRole('button', { name: `Actions for ${webhook.url}` });
    await menu.click();
    await screen.getByRole('menuitem', { name: webhookTexts.pause }).click();
    await expect.element(screen.getByText(webhookTexts.saved)).toBeVisible();
    expect(gateway.asked('changeWebhook')).toMatchObject([{ body: { state: 'paused' } }]);
    await menu.click();
    await screen.getByRole('menuitem', { name: webhookTexts.rotate }).click();
    const rotate = screen.getByRole('dialog', { name: webhookTexts.rotateTitle });
    await expect.element(rotate.getByText(webhook.url)).toBeVisible();
    await rotate.getByRole('button', { name: webhookTexts.rotate }).click();
    const shown = screen.getByRole('dialog', { name: webhookTexts.secretTitle });
    await shown.getByRole('button', { name: integrationTexts.done }).click();
    await menu.click();
    await screen.getByRole('menuitem', { name: webhookTexts.remove }).click();
    const remove = screen.getByRole('dialog', { name: webhookTexts.removeTitle });
    await expect.element(remove.getByText(webhook.url)).toBeVisible();
    await remove.getByRole('button', { name: webhookTexts.remove }).click();
    await expect.element(screen.getByText(webhookTexts.removed)).toBeVisible();
    await expect.element(screen.getByRole('button', { name: webhookTexts.add })).toHaveFocus();
  });

  test('[HOOK-06] a disabled webhook shows in the navigation and on the page', async () => {
    const disabled = { ...webhook, state: 'disabled', failingSince: webhook.createdAt } as const;
    const { screen } = await renderIntegrations({
      readWebhooks: { webhooks: [disabled] },
      readCounts: { open: 0, handlers: 0, disabledWebhooks: 1 },
    });
    await expect.element(screen.getByRole('alert')).toHaveTextContent(webhookTexts.disabledNotice);
    await expect
      .element(screen.getByRole('link', { name: /Integrations.*1 disabled/ }).first())
      .toBeInTheDocument();
  });

  test('deliveries show state, response and attempts, and can be sent again', async () => {
    // Why there is no response: in words, or with the code of Node.js.
    const unanswered = ['timeout', 'ECONNREFUSED'].map((problem) => ({
      ...delivery,
      id: idOf(problem),
      status: null,
      problem,
    }));
    const { screen, gateway } = await renderIntegrations(
      {
        readWebhooks: { webhooks: [webhook] },
        readDeliveries: { deliveries: [delivery, ...unanswered], next: null },
        resendDelivery: {},
      },
      `/admin/integrations/${webhook.id}`,
    );
    await expect.element(screen.getByText(/hooks\.example\.org/)).toBeVisible();
    const table = screen.getByRole('table');
    for (const text of [
      webhookTexts.deliveryStates.failed,
      '503 in 12 ms',
      '11',
      'No response in time',
      'ECONNREFUSED',
    ]) {
      await expect.element(table.getByText(text, { exact: true }).first()).toBeVisible();
    }
    await screen.getByRole('radio', { name: webhookTexts.deliveryStates.waiting }).click();
    await expect.poll(() => gateway.asked('readDeliveries').at(-1)?.query.show).toBe('waiting');
    await screen.getByRole('button', { name: 'Actions for message.stored' }).first().click();
    await screen.getByRole('menuitem', { name: webhookTexts.resend }).click();
    await expect.element(screen.getByText(webhookTexts.resent)).toBeVisible();
    expect(gateway.asked('resendDelivery')).toMatchObject([{ body: { position: 7 } }]);
  });
});
