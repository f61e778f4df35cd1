import { createHandler, createInvite } from './accounts.ts';
import { hold, startChat } from './people.ts';
import { expect, test } from './watched.ts';

const handler = createHandler();

test('[V-03] [S-02] [V-07] buttons show that they are busy', async ({ page }) => {
  const forms = await hold(page, 'assets/room*.js');
  const claimed = await hold(page, 'claimInvite');
  await page.goto(createInvite(handler.alias));
  await page.getByRole('button', { name: 'Start chat' }).click();
  await expect(page.getByRole('button', { name: 'Starting chat...' })).toBeDisabled();
  await forms();
  await page.getByLabel('Display Name').fill('Jonas');
  await page.getByRole('button', { name: 'Start Chatting' }).click();
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeDisabled();
  await claimed();
  await expect(page.getByPlaceholder('Message...')).toBeVisible();
});

test('[E-04] [E-11] [S-07] a profile that cannot be saved is logged, and the chat opens anyway', async ({
  page,
}) => {
  const logged: string[] = [];
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()));
  await page.route('**/visitorProfile', (route) => route.abort());
  await startChat(page, createInvite(handler.alias), 'Jonas');
  // The page retries first.
  await expect.poll(() => logged.join('\n')).toContain('saveProfile: Network error');
});
