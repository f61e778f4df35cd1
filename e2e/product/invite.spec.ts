import { createHandler, createInvite } from './accounts.ts';
import { expireInvite, revokeInvite } from './database.ts';
import { bannerCode, expectTexts, send, startChat, visitAndLeave } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

const handler = createHandler();

test(
  '[S-01] [S-02] [S-04] [S-08] [V-03] [V-06] [V-07] [D-09] [DEVICE-16] [MSG-12] the first name claims the invite and unlocks the chat; the device returns to it, with its draft',
  alsoInFirefox,
  async ({ page, context }) => {
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

    await send(page, 'I will be back');
    await expect(page.getByText('Sent')).toBeVisible();
    await page.getByPlaceholder('Message...').fill('half a thou');
    await page.reload();
    await expectTexts(page, ['I will be back']);
    await expect(page.getByPlaceholder('Message...')).toHaveValue('half a thou');
  },
);

test(
  '[E-01] [V-02] a link that does not open shows the reason and a link home, and never "Start a conversation"',
  alsoInFirefox,
  async ({ page }) => {
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
    const promised = () => page.evaluate(() => 'promised' in window);
    const working = createInvite(handler.alias);
    await page.goto(working);
    await expect(page.getByRole('button', { name: 'Start chat' })).toBeVisible();
    await expect.poll(promised).toBe(true);

    const cases: [string, string][] = [
      ['/i/a0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'Invite not found'],
      [await expireInvite(createInvite(handler.alias)), 'This invite link has expired'],
      [await revokeInvite(createInvite(handler.alias)), 'This invite link has been revoked'],
    ];
    for (const [path, reason] of cases) {
      await page.goto(path);
      await expect(page.getByRole('heading', { name: 'Unable to access chat' })).toBeVisible();
      await expect(page.getByText(reason)).toBeVisible();
      expect(await promised(), reason).toBe(false);
    }
    await page.route('**/checkInvite/**', (route) => route.abort());
    await page.goto(working);
    await expect(page.getByText('Failed to load invite')).toBeVisible();
    expect(await promised()).toBe(false);
    await page
      .getByRole('link', { name: 'Go to Home' })
      .or(page.getByRole('button', { name: 'Go to Home' }))
      .click();
    await expect(page).toHaveURL('/');
  },
);

test(
  '[MSG-41] a browser that stores nothing shows the first paint and can still chat',
  alsoInFirefox,
  async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('forbidden', 'SecurityError');
        },
      });
    });
    const invite = createInvite(handler.alias);
    await page.route('**/assets/*.js', (route) => route.abort());
    await visitAndLeave(page, async () => {
      await page.goto(invite);
      await expect(page.locator('.waiting-name')).toBeVisible();
    });
    await page.unroute('**/assets/*.js');
    await startChat(page, invite, 'Jonas');
    await send(page, 'hello');
    await expect(page.getByText('Sent')).toBeVisible();
    await page.reload();
    await expectTexts(page, ['hello']);
  },
);
