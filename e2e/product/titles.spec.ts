import type { Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { endConversation, makeConversations } from './database.ts';
import { bannerCode, newPerson, openWithCode, signIn } from './people.ts';
import { expect, test } from './watched.ts';

/** Fails if two steps have the same title. */
function uniqueTitles() {
  const seen = new Map<string, string>();
  return async (page: Page, step: string, title: string): Promise<void> => {
    await expect(page).toHaveTitle(title);
    expect(seen.get(title), `${step} has the title of another step`).toBeUndefined();
    seen.set(title, step);
  };
}

test('[R-06] each step of the visitor’s page has its own title', async ({ browser }) => {
  const handler = createHandler();
  const invite = createInvite(handler.alias);
  const { page } = await newPerson(browser);
  const expectTitle = uniqueTitles();
  await page.goto(invite);
  await expectTitle(page, 'invite', 'Start a conversation · Settee');
  await page.getByRole('button', { name: 'Start chat' }).click();
  await expectTitle(page, 'name', 'What should I call you? · Settee');
  await page.getByLabel('Display Name').fill('Léa Moreau');
  await page.getByRole('button', { name: 'Start Chatting' }).click();
  await expect(page.getByPlaceholder('Message...')).toBeVisible();
  await expectTitle(page, 'chat', 'Settee');

  const code = await bannerCode(page);
  const { page: second } = await newPerson(browser);
  await openWithCode(second, invite, 'Léa Moreau', '0000' === code ? '1111' : '0000');
  await expectTitle(second, 'code', 'Continue this chat · Settee');

  await endConversation(invite, 'closed', 365);
  await page.reload();
  await expect(page.getByText('This conversation is closed')).toBeVisible();
  await expectTitle(page, 'closed', 'This conversation is closed · Settee');

  await page.goto('/i/a0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
  await expect(page.getByText('Invite not found')).toBeVisible();
  await expectTitle(page, 'error', 'Unable to access chat · Settee');
});

test('[R-06] each page and step of the console has its own title', async ({ browser }) => {
  const handler = createHandler();
  const [id] = await makeConversations(handler.alias, [
    { name: 'Jonas Weber', text: 'Hello', minutesAgo: 1 },
  ]);
  const { page: desk } = await newPerson(browser);
  const expectTitle = uniqueTitles();
  await desk.goto('/handler');
  await expectTitle(desk, 'sign-in', 'Sign in · Settee · Console');
  await signIn(desk, handler);
  await expectTitle(desk, 'queue', 'Settee · Console');
  await desk.goto(`/handler/conversation/${id}`);
  await expectTitle(desk, 'conversation', 'Jonas Weber · Settee · Console');
  await desk.goto('/handler/security');
  await expectTitle(desk, 'security', 'Sign-in security · Settee · Console');
  await desk.goto('/handler?denied');
  await expect(desk.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  await expectTitle(desk, 'refusal', 'Access Denied · Settee · Console');
  await desk.goto('/handler-test');
  await expect(desk.getByRole('heading').first()).toBeVisible();
  await expectTitle(desk, 'connection test', await desk.title());
});
