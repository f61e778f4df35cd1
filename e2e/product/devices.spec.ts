import type { Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import {
  bannerCode,
  chooseInMenu,
  enterConsole,
  expectTexts,
  newPerson,
  openCodeView,
  openWithCode,
  send,
  startChatWithForms,
} from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

/** The code in the banner, once it differs from `than`. */
async function nextCode(page: Page, than: string): Promise<string> {
  await expect.poll(() => bannerCode(page)).not.toBe(than);
  return bannerCode(page);
}

test(
  '[V-04] [C-02] [S-03] [E-02] [DEVICE-20] a second device: Cancel, a wrong code, a lost call, a void code, then the new code opens the chat',
  alsoInFirefox,
  async ({ browser }) => {
    const invite = createInvite(createHandler().alias);
    const { page: first, context } = await newPerson(browser);
    await startChatWithForms(first, invite, 'Kenji');
    await send(first, 'from the first device');
    const former = await bannerCode(first);
    await first.getByRole('button', { name: 'Dismiss' }).click();
    await chooseInMenu(first, 'Continue in another browser or device');
    await first.getByRole('button', { name: 'New code' }).click();
    const code = await nextCode(first, former);
    await first.close();

    const { page } = await newPerson(browser);
    await openCodeView(page, invite, 'Kenji');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page).toHaveURL('/');
    await openCodeView(page, invite, 'Kenji');
    await expect(page.getByText('Enter the 4-digit code from your other device')).toBeVisible();
    const field = page.getByRole('textbox');
    const submit = page.getByRole('button', { name: 'Continue' });
    await field.pressSequentially('12a3');
    await expect(field).toHaveValue('123');
    await expect(submit).toBeDisabled();
    await field.fill(former);
    await expect(page.getByText("That code doesn't match. Try again")).toBeVisible();
    await page.route('**/attachInvite', (route) => route.abort());
    await submit.click();
    await expect(page.getByText('Network error')).toBeVisible();
    await page.unroute('**/attachInvite');
    await field.fill(code);
    await expectTexts(page, ['from the first device']);
    // Only the first device can let in another one.
    await page.getByRole('button', { name: 'More' }).click();
    await expect(page.getByRole('menuitem', { name: 'Change name' })).toBeVisible();
    const another = page.getByRole('menuitem', { name: 'Continue in another browser or device' });
    await expect(another).toHaveCount(0);

    // The first device was away. On return it learns of the other one, and shows the code that works.
    const back = await context.newPage();
    await back.goto(invite);
    await expect(back.getByText('Another device joined')).toBeVisible();
    const stored = () =>
      back.evaluate((key) => localStorage.getItem(key), `continue_code_${invite.slice('/i/'.length)}`);
    await expect.poll(stored).not.toBe(code);
  },
);

test(
  '[MSG-10] more devices join with the code on screen; the first sees them, and removes one at once; all show the same, live',
  alsoInFirefox,
  async ({ browser }) => {
    const handler = createHandler();
    const invite = createInvite(handler.alias);
    const { page: first } = await newPerson(browser);
    await startChatWithForms(first, invite, 'Mia');
    await send(first, 'from the first device');
    const devices = first.getByRole('dialog', { name: 'Devices' });
    const join = async (code: string): Promise<Page> => {
      const { page } = await newPerson(browser);
      await openWithCode(page, invite, 'Mia', code);
      await expectTexts(page, ['from the first device']);
      return page;
    };
    const code = await bannerCode(first);
    const second = await join(code);
    const nextOne = await nextCode(first, code);
    const third = await join(nextOne);
    const last = await nextCode(first, nextOne);

    await first.getByRole('button', { name: 'Show devices' }).click();
    await expect(devices.getByText('This device')).toBeVisible();
    const removals = devices.getByRole('button', { name: /^Remove (Chrome|Firefox) on / });
    await expect(removals).toHaveCount(2);
    await removals.nth(1).click();
    await devices.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(devices.getByRole('listitem')).toHaveCount(2);
    await expect(third.getByText('This device no longer has access to this chat.')).toBeVisible();
    await expect(third.getByText('from the first device')).toHaveCount(0);
    await devices.getByRole('button', { name: 'Done' }).click();
    await send(first, 'still here');
    await expectTexts(second, ['from the first device', 'still here']);

    // A bound link offers a direct way to the code.
    await third.reload();
    await third.getByText('Already chatting in another browser or device? Enter code').click();
    await third.getByRole('textbox').fill(last);
    await expectTexts(third, ['from the first device', 'still here']);

    // Every device and the desk show the same.
    const { page: desk } = await newPerson(browser);
    await enterConsole(desk, handler, '/handler');
    await desk.getByRole('link', { name: /Mia/ }).click();
    await send(second, 'from the second device');
    const texts = ['from the first device', 'still here', 'from the second device'];
    await expectTexts(desk, texts);
    await send(desk, 'to all of them');
    for (const page of [first, second, third, desk]) await expectTexts(page, [...texts, 'to all of them']);
  },
);
