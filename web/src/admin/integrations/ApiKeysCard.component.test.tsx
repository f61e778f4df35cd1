import type { ApiKey } from '@settee/protocol/model/apiKey';
import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { apiKeyTexts } from '@settee/protocol/texts/apiKeyTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { integrationTexts } from '@settee/protocol/texts/integrationTexts';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { Refused } from '../../../test/fakeGateway.ts';
import { idOf } from '../../../test/idOf.ts';
import { renderAdmin } from '../../../test/renderAdmin.tsx';

const key: ApiKey = {
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
  const { screen, gateway } = await renderAdmin({
    path: '/admin/integrations',
    answers: {
      readApiKeys: () => ({ keys }),
      readWebhooks: { webhooks: [] },
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
  await expect.element(shown.getByRole('button', { name: integrationTexts.copy })).toBeVisible();
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
  const { screen, gateway } = await renderAdmin({
    path: '/admin/integrations',
    answers: { readApiKeys: { keys: [key] }, readWebhooks: { webhooks: [] }, revokeApiKey: {} },
  });
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
