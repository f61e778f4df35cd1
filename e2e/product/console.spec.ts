import { createHandler, createInvites } from './accounts.ts';
import { unname, writeHistory } from './database.ts';
import { bubbles, newPerson, signIn, slowOutbox, startChat } from './people.ts';
import { expect, test } from './watched.ts';

test('[H-01] [H-02] [H-05] [H-06] the queue and a conversation show their texts', async ({ browser }) => {
  const handler = createHandler();
  const [named = '', nameless = ''] = createInvites(handler.alias, 2);
  const { page: desk } = await newPerson(browser);
  await slowOutbox(desk);
  await signIn(desk, handler);
  await expect(desk.getByText(`Handler: ${handler.alias}`)).toBeVisible();
  await expect(desk.getByText("You don't have any open conversations assigned to you.")).toBeVisible();
  await expect(desk.getByRole('button', { name: 'Sign Out' })).toBeVisible();

  const { page: visitor } = await newPerson(browser);
  await startChat(visitor, named, 'Léa Moreau');
  const row = desk.getByRole('link', { name: /Léa Moreau/ });
  await expect(row).toContainText('Just now');
  const { page: other } = await newPerson(browser);
  await startChat(other, nameless, 'Guest number one');
  const label = await unname(nameless);
  await writeHistory(nameless, [
    { from: 'visitor', text: 'Is anybody there?', at: new Date(Date.now() - 3.5 * 3_600_000) },
  ]);
  const unnamed = desk.getByRole('link', { name: new RegExp(label) });
  await expect(unnamed).toContainText('Is anybody there?');
  await expect(unnamed).toContainText('3h ago');
  await expect(desk.getByRole('heading', { name: 'My Queue (2)' })).toBeVisible();
  const green = await desk.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.background = 'var(--online)';
    const { backgroundColor } = getComputedStyle(probe);
    probe.remove();
    return backgroundColor;
  });
  for (const each of [row, unnamed]) {
    await expect(each.locator('[class*="dot"]')).toHaveCSS('background-color', green);
  }

  await row.click();
  await expect(desk).toHaveURL(/\/handler\/conversation\/[0-9a-f-]{36}$/);
  await expect(desk.getByText('No messages yet')).toBeVisible();
  await expect(desk.getByText('Start the conversation by sending a message.')).toBeVisible();
  await expect(desk.getByText('Press Enter to send, Shift+Enter for new line').first()).toBeVisible();
  const field = desk.getByPlaceholder('Type your message...');
  await field.fill('Hello');
  await field.press('Shift+Enter');
  await expect(field).toHaveValue('Hello\n');
  await field.press('Enter');
  await expect(desk.locator('form').getByRole('button', { name: 'Sending...' })).toBeVisible();
  await expect(desk.locator('form').getByRole('button', { name: 'Send', exact: true })).toBeVisible();
  await expect(bubbles(visitor).getByText('Hello')).toBeVisible();
});
