import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { apiKeyTexts } from '@settee/protocol/texts/apiKeyTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { integrationTexts } from '@settee/protocol/texts/integrationTexts';
import { webhookTexts } from '@settee/protocol/texts/webhookTexts';
import { createHandler } from './accounts.ts';
import { enterAdmin } from './admins.ts';
import { startAllowedReceiver } from './ownInstallation.ts';
import { newPerson, startChatWithForms } from './people.ts';
import { expect, test } from './watched.ts';

test('a key creates an invite, and the webhook reports its chat', async ({ page, browser }, info) => {
  const { alias } = createHandler();
  const receiver = await startAllowedReceiver(info.parallelIndex);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  try {
    await enterAdmin(page, { path: '/admin/integrations' });
    await button(apiKeyTexts.create).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(apiKeyTexts.name).fill('Shop');
    await dialog.getByLabel('invites:write').check();
    await dialog.getByRole('button', { name: apiKeyTexts.create }).click();
    const key = await dialog.getByLabel(apiKeyTexts.secret, { exact: true }).inputValue();
    await button(integrationTexts.done).click();

    await button(webhookTexts.add).click();
    await dialog.getByLabel(webhookTexts.url).fill(receiver.url);
    await dialog.getByRole('button', { name: webhookTexts.add }).click();
    await expect(dialog.getByLabel(webhookTexts.secret, { exact: true })).toHaveValue(/^whsec_/);
    await button(integrationTexts.done).click();

    const draft = { id: randomUUID(), label: 'Order 4711', alias, days: 30, keepDays: null };
    const body = JSON.stringify({ batchId: randomUUID(), attempt: 1, invites: [draft] });
    const headers = [`authorization: Bearer ${key}`, 'content-type: application/json'];
    const made = execFileSync('curl', [
      ...['-sS', '--fail-with-body', `${process.env.PUBLIC_URL}/manage/invites`, '-d', body],
      ...headers.flatMap((header) => ['-H', header]),
    ]);
    const { link } = JSON.parse(made.toString('utf8')).links[0] as { link: string };
    const { page: visitor } = await newPerson(browser);
    await startChatWithForms(visitor, new URL(link).pathname, 'Jonas');

    // Other tests of this installation cause events too.
    const own = () => receiver.accepted().filter(({ event }) => event.data.inviteId === draft.id);
    await expect
      .poll(() => own().map(({ event }) => event.type))
      .toEqual(['invite.opened', 'invite.started']);

    await page.getByRole('link', { name: receiver.url }).click();
    const { conversationId } = own()[1]?.event.data ?? {};
    const row = page.getByRole('row').filter({ hasText: conversationId });
    await expect(row.first()).toContainText(webhookTexts.deliveryStates.delivered);
    await expect(row.first()).toContainText('200 in');

    await page.getByRole('link', { name: webhookTexts.back }).click();
    await button(fillText(webhookTexts.actionsFor, { url: receiver.url })).click();
    await page.getByRole('menuitem', { name: webhookTexts.remove }).click();
    await dialog.getByRole('button', { name: webhookTexts.remove }).click();
    await expect(page.getByRole('link', { name: receiver.url })).toHaveCount(0);
  } finally {
    await receiver.stop();
  }
});
