import type { Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import {
  bannerCode,
  enterConsole,
  expectTexts,
  newPerson,
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
  '[MSG-10] three devices join with the code on screen; the first sees each, and removes one at once; all show the same, live',
  alsoInFirefox,
  async ({ browser }) => {
    const handler = createHandler();
    const invite = createInvite(handler.alias);
    const { page: first } = await newPerson(browser);
    await startChatWithForms(first, invite, 'Mia');
    await send(first, 'from the first device');
    const devices = first.getByRole('dialog', { name: 'Devices' });
    const others: Page[] = [];
    let code = await bannerCode(first);
    for (let joined = 1; joined <= 3; joined++) {
      const { page } = await newPerson(browser);
      await openWithCode(page, invite, 'Mia', code);
      await expectTexts(page, ['from the first device']);
      others.push(page);
      code = await nextCode(first, code);
      await first.getByRole('button', { name: 'Show devices' }).click();
      await expect(devices.getByRole('listitem')).toHaveCount(joined + 1);
      await devices.getByRole('button', { name: 'Done' }).click();
      await expect(first.getByText('Another device joined')).toHaveCount(0);
    }

    await first.getByRole('button', { name: 'More' }).click();
    await first.getByRole('menuitem', { name: 'Devices' }).click();
    await expect(devices.getByText('This device')).toBeVisible();
    await expect(devices.getByRole('button', { name: /^Remove (Chrome|Firefox) on / })).toHaveCount(3);
    await devices
      .getByRole('button', { name: /^Remove / })
      .nth(1)
      .click();
    await devices.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(devices.getByRole('listitem')).toHaveCount(3);

    const [second, third, fourth] = others;
    if (!second || !third || !fourth) throw new Error('three devices');
    await expect(third.getByText('This device no longer has access to this chat.')).toBeVisible();
    await expect(third.getByText('from the first device')).toHaveCount(0);
    await third.reload();
    await expect(third.getByText('Already chatting in another browser or device? Enter code')).toBeVisible();
    await devices.getByRole('button', { name: 'Done' }).click();
    await send(first, 'still here');
    for (const page of [second, fourth]) await expectTexts(page, ['from the first device', 'still here']);

    // A bound link offers a direct way to the code.
    await third.getByText('Already chatting in another browser or device? Enter code').click();
    await third.getByRole('textbox').fill(code);
    await expectTexts(third, ['from the first device', 'still here']);

    // Every device and the desk show the same.
    const { page: desk } = await newPerson(browser);
    await enterConsole(desk, handler, '/handler');
    await desk.getByRole('link', { name: /Mia/ }).click();
    await send(second, 'from the second device');
    const texts = ['from the first device', 'still here', 'from the second device'];
    await expectTexts(desk, texts);
    await send(desk, 'to all of them');
    for (const page of [first, ...others, desk]) await expectTexts(page, [...texts, 'to all of them']);
  },
);

test(
  'a first device that was away learns on return of a new device, and shows the code that works',
  alsoInFirefox,
  async ({ browser }) => {
    const invite = createInvite(createHandler().alias);
    const { page: first, context } = await newPerson(browser);
    await startChatWithForms(first, invite, 'Mia');
    const used = await bannerCode(first);
    await first.close();
    const { page: second } = await newPerson(browser);
    await openWithCode(second, invite, 'Mia', used);
    await expect(second.getByPlaceholder('Message...')).toBeVisible();

    const back = await context.newPage();
    await back.goto(invite);
    await expect(back.getByText('Another device joined')).toBeVisible();
    const token = invite.slice('/i/'.length);
    await expect
      .poll(() => back.evaluate((key) => localStorage.getItem(key), `continue_code_${token}`))
      .not.toBe(used);
    await back.getByRole('button', { name: 'Dismiss' }).click();
    await back.reload();
    await expect(back.getByPlaceholder('Message...')).toBeVisible();
    await expect(back.getByText('Another device joined')).toHaveCount(0);
  },
);
