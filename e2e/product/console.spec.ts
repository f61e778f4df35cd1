import { createHandler, createInvite, createInvites } from './accounts.ts';
import { unname, writeHistory } from './database.ts';
import { bubbles, newPerson, send, signIn, slowOutbox, startChat } from './people.ts';
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

for (const button of ['Close', 'Block']) {
  test(`[S-09] ${button} ends the conversation and returns to the queue`, async ({ browser }) => {
    const handler = createHandler();
    const { page: visitor } = await newPerson(browser);
    await startChat(visitor, createInvite(handler.alias), 'Tomás');
    await send(visitor, 'bye');
    const { page: desk } = await newPerson(browser);
    await signIn(desk, handler);
    await desk.getByRole('link', { name: /Tomás/ }).click();
    await desk.getByRole('button', { name: button, exact: true }).click();
    if (button === 'Block') await desk.getByRole('dialog').getByRole('button', { name: button }).click();
    await expect(desk).toHaveURL('/handler');
    await expect(desk.getByText('No conversations')).toBeVisible();
    await expect(
      visitor.getByText(
        button === 'Close'
          ? 'This conversation was closed. Sending a message reopens it.'
          : 'This conversation is closed',
      ),
    ).toBeVisible();
  });
}

test('[H-08] another alias’s conversation is not found', async ({ browser }) => {
  const [mine, theirs] = [createHandler(), createHandler()];
  const { page: visitor } = await newPerson(browser);
  await startChat(visitor, createInvite(theirs.alias), 'Sara');
  await send(visitor, 'secret');
  const { page: owner } = await newPerson(browser);
  await signIn(owner, theirs);
  await owner.getByRole('link', { name: /Sara/ }).click();
  await expect(owner).toHaveURL(/conversation/);
  const { page: desk } = await newPerson(browser);
  await signIn(desk, mine);
  await desk.goto(owner.url());
  await expect(desk).toHaveURL('/handler');
  await expect(desk.getByText('Conversation not found')).toBeVisible();
  await expect(desk.getByText('secret')).toHaveCount(0);
});

test('[H-07] any other path redirects to the queue; [K-07] signing out returns to the sign-in', async ({
  page,
}) => {
  const handler = createHandler();
  await signIn(page, handler);
  await page.goto('/handler/nowhere/at/all');
  await expect(page).toHaveURL('/handler');
  await page.getByRole('button', { name: 'Sign Out' }).first().click();
  await expect(page.getByRole('heading', { name: 'Handler Console' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Handler Console' })).toBeVisible();
});
