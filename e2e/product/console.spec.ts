import { newPerson, send, signIn, startChat } from './people.ts';
import { createHandler, createInvite } from './settee.ts';
import { expect, test } from './watched.ts';

test('[H-09] [S-12] [C-08] [E-06] nobody gets in without an account', async ({ page }) => {
  await page.goto('/handler');
  await expect(page.getByRole('heading', { name: 'Handler Console' })).toBeVisible();
  await expect(page.getByText('Sign in to manage your assigned conversations')).toBeVisible();
  await expect(page.getByText('Contact your administrator for access to the Handler Console')).toBeVisible();
  await page.getByLabel('Email address').fill('nobody@settee.example');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign in to Handler Console' }).click();
  await expect(page.getByText('Failed to sign in')).toBeVisible();
});

test('[H-01] [H-02] [H-04] [H-05] [H-06] the queue and a conversation say what they are', async ({
  browser,
}) => {
  const handler = createHandler();
  const { page: desk } = await newPerson(browser);
  await signIn(desk, handler);
  await expect(desk.getByText(`Handler: ${handler.alias}`)).toBeVisible();
  await expect(desk.getByText("You don't have any open conversations assigned to you.")).toBeVisible();
  const { page: visitor } = await newPerson(browser);
  await startChat(visitor, createInvite(handler.alias), 'Léa Moreau');
  const row = desk.getByRole('link', { name: /Léa Moreau/ });
  await expect(row).toContainText('Just now');
  await row.click();
  await expect(desk).toHaveURL(/\/handler\/conversation\/[0-9a-f-]{36}$/);
  await expect(desk.getByText('No messages yet')).toBeVisible();
  await expect(desk.getByText('Start the conversation by sending a message.')).toBeVisible();
  await expect(desk.getByPlaceholder('Type your message...')).toBeVisible();
  await expect(desk.getByText('Press Enter to send, Shift+Enter for new line')).toBeVisible();
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

test('[H-07] any other path leads to the queue; [K-07] signing out leads to the sign-in', async ({
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
