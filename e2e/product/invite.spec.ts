import { createHandler, createInvite } from './accounts.ts';
import { expireInvite, revokeInvite } from './database.ts';
import { bannerCode, expectTexts, newPerson, openCodeView, send, signIn, startChat } from './people.ts';
import { expect, test } from './watched.ts';

const handler = createHandler();

test('[S-01] [S-02] [S-04] [V-03] [V-06] [V-07] [D-09] the first name claims the invite and unlocks the chat', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const invite = createInvite(handler.alias);
  const token = invite.slice('/i/'.length);
  await page.goto(invite);
  await expect(page.getByRole('heading', { name: 'Start a conversation' })).toBeVisible();
  await page.getByRole('button', { name: 'Start chat' }).click();
  await expect(page.getByRole('heading', { name: 'What should I call you?' })).toBeVisible();
  await expect(page.getByPlaceholder('Message...')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Start Chatting' })).toBeDisabled();
  await page.getByLabel('Display Name').fill('Jonas');
  await expect(page.getByText('5/40')).toBeVisible();
  expect(await page.evaluate((key) => localStorage.getItem(key), `continue_code_${token}`)).toBeNull();
  await page.getByRole('button', { name: 'Start Chatting' }).click();
  await expect(page.getByText('Start the conversation')).toBeVisible();

  const code = await bannerCode(page);
  expect(await page.evaluate((key) => localStorage.getItem(key), `continue_code_${token}`)).toBe(code);
  expect(await page.evaluate((key) => localStorage.getItem(key), `first_session_${token}`)).toBe('true');
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByText('Code copied!')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByText('Code copied!')).toHaveCount(0);
  await expect(page.getByText('Continue on another device:')).toHaveCount(0);
});

test('[S-07] [S-04] the name reaches the handler, and the profile is stored', async ({ browser }) => {
  const { page: visitor } = await newPerson(browser);
  const own = createHandler();
  await startChat(visitor, createInvite(own.alias), 'Adaeze Obi');
  const { page: desk } = await newPerson(browser);
  await signIn(desk, own);
  await expect(desk.getByRole('link', { name: /Adaeze Obi/ })).toBeVisible();
});

test('[C-01] invalid names show the reason', async ({ page }) => {
  await page.goto(createInvite(handler.alias));
  await page.getByRole('button', { name: 'Start chat' }).click();
  const field = page.getByLabel('Display Name');
  await expect(field).toHaveAttribute('maxlength', '40');
  for (const [name, problem] of [
    ['J', 'Name must be at least 2 characters'],
    ['me@home', "Please don't include emails or links"],
    ['http me', "Please don't include emails or links"],
    ['shop.com', "Please don't include emails or links"],
  ] as const) {
    await field.fill(name);
    await page.getByRole('button', { name: 'Start Chatting' }).click();
    await expect(page.getByText(problem)).toBeVisible();
  }
});

test('[S-08] [DEVICE-16] the device of a conversation returns to it after a reload', async ({ page }) => {
  const invite = createInvite(handler.alias);
  await startChat(page, invite, 'Léa');
  await send(page, 'I will be back');
  await expect(page.getByText('Sent')).toBeVisible();
  await page.reload();
  await expectTexts(page, ['I will be back']);
});

test('[S-05] [E-03] a bound invite attaches with the stored code, and asks for one if there is none', async ({
  browser,
}) => {
  const invite = createInvite(handler.alias);
  const token = invite.slice('/i/'.length);
  const { page: first } = await newPerson(browser);
  await startChat(first, invite, 'Noor');
  await send(first, 'hello');
  const code = await bannerCode(first);

  const { page: stored } = await newPerson(browser);
  await stored.addInitScript(
    ([key, value]) => localStorage.setItem(key ?? '', value ?? ''),
    [`continue_code_${token}`, code],
  );
  await startChat(stored, invite, 'Noor');
  await expectTexts(stored, ['hello']);

  const { page: bare } = await newPerson(browser);
  await openCodeView(bare, invite, 'Noor');
  await expect(bare.getByText('Continue code required')).toBeVisible();
});

test('[V-04] [C-02] [S-03] [E-02] a wrong code shows an error, and the right one opens the chat', async ({
  browser,
}) => {
  const invite = createInvite(handler.alias);
  const { page: first } = await newPerson(browser);
  await startChat(first, invite, 'Kenji');
  await send(first, 'from the first device');
  const code = await bannerCode(first);
  const { page } = await newPerson(browser);
  await openCodeView(page, invite, 'Kenji');
  await expect(page.getByText('Enter the 4-digit code from your other device')).toBeVisible();
  const field = page.getByRole('textbox');
  const submit = page.getByRole('button', { name: 'Continue' });
  await field.pressSequentially('12a3');
  await expect(field).toHaveValue('123');
  await expect(submit).toBeDisabled();
  await field.fill(code === '0000' ? '1111' : '0000');
  await expect(page.getByText("That code doesn't match. Try again")).toBeVisible();
  await page.route('**/attachInvite', (route) => route.abort());
  await submit.click();
  await expect(page.getByText('Network error')).toBeVisible();
  await page.unroute('**/attachInvite');
  await field.fill(code);
  await expectTexts(page, ['from the first device']);
});

test('[S-06] if there is a conversation, only the name is updated', async ({ browser }) => {
  const invite = createInvite(handler.alias);
  const { page: first } = await newPerson(browser);
  // The claim succeeds and the naming fails, so the conversation has no name.
  await first.route('**/visitorName', (route) => route.abort());
  await first.goto(invite);
  await first.getByRole('button', { name: 'Start chat' }).click();
  await first.getByLabel('Display Name').fill('Ivo');
  await first.getByRole('button', { name: 'Start Chatting' }).click();
  await expect(first.getByText('Failed to save name')).toBeVisible();
  await first.unroute('**/visitorName');
  const claims: string[] = [];
  first.on('request', (request) => {
    if (/claimInvite|attachInvite/.test(request.url())) claims.push(request.url());
  });
  await first.getByRole('button', { name: 'Start Chatting' }).click();
  await expect(first.getByPlaceholder('Message...')).toBeVisible();
  expect(claims).toEqual([]);
});

test('[E-01] [V-02] an unusable link shows the reason and a link home', async ({ page }) => {
  const cases: [string, string][] = [
    ['/i/a0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'Invite not found'],
    [await expireInvite(createInvite(handler.alias)), 'This invite link has expired'],
    [await revokeInvite(createInvite(handler.alias)), 'This invite link has been revoked'],
  ];
  for (const [path, reason] of cases) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Unable to access chat' })).toBeVisible();
    await expect(page.getByText(reason)).toBeVisible();
  }
  await page.route('**/checkInvite/**', (route) => route.abort());
  await page.goto(createInvite(handler.alias));
  await expect(page.getByText('Failed to load invite')).toBeVisible();
  await page
    .getByRole('link', { name: 'Go to Home' })
    .or(page.getByRole('button', { name: 'Go to Home' }))
    .click();
  await expect(page).toHaveURL('/');
});

test('[INVITE-04] a link that does not open never shows "Start a conversation"', async ({ page }) => {
  await page.addInitScript(() => {
    const watch = () => {
      const heading = [...document.querySelectorAll('h1, h2')].some(
        (each) => each.checkVisibility() && each.textContent?.includes('Start a conversation'),
      );
      if (heading) Object.assign(window, { promised: true });
      requestAnimationFrame(watch);
    };
    watch();
  });
  await page.goto('/i/a0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
  await expect(page.getByText('Invite not found')).toBeVisible();
  expect(await page.evaluate(() => 'promised' in window)).toBe(false);
  await page.goto(createInvite(handler.alias));
  await expect(page.getByRole('button', { name: 'Start chat' })).toBeVisible();
  expect(await page.evaluate(() => 'promised' in window)).toBe(true);
});

test('[MSG-41] a browser that stores nothing can still chat', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('forbidden', 'SecurityError');
      },
    });
  });
  const invite = createInvite(handler.alias);
  await startChat(page, invite, 'Jonas');
  await send(page, 'hello');
  await expect(page.getByText('Sent')).toBeVisible();
  await page.reload();
  await expectTexts(page, ['hello']);
});
