import type { Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { storedTexts } from './database.ts';
import { holdLine } from './network.ts';
import { expectTexts, newPerson, send, signIn, startChat } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

test(
  '[CONSOLE-20] [CONSOLE-16] colleagues in one chat see each other, and of two replies at once one is stored',
  alsoInFirefox,
  async ({ browser }) => {
    const ana = createHandler();
    const ben = createHandler(ana.alias, process.env, {
      name: 'Ben Ito',
      email: `ben.${ana.alias}@settee.example`,
    });
    const invite = createInvite(ana.alias);
    const { page: visitor } = await newPerson(browser);
    await startChat(visitor, invite, 'Léa Moreau');
    await send(visitor, 'When does it begin?');

    const [anaDesk, benDesk] = [(await newPerson(browser)).page, (await newPerson(browser)).page];
    const lines = [await holdLine(anaDesk), await holdLine(benDesk)];
    await signIn(anaDesk, ana);
    await signIn(benDesk, ben);
    const open = (desk: Page) => desk.getByRole('link', { name: /Léa Moreau/ }).click();
    const notice = (desk: Page) => desk.getByRole('status').filter({ hasText: /is (viewing|replying)/ });
    await open(anaDesk);
    await expectTexts(anaDesk, ['When does it begin?']);
    await expect(notice(anaDesk)).toHaveCount(0);
    await open(benDesk);
    await expect(notice(anaDesk)).toHaveText('Ben Ito is viewing this chat');
    await expect(notice(benDesk)).toHaveText('Ana Kovač is viewing this chat');
    await expectTexts(benDesk, ['When does it begin?']);

    const field = (desk: Page) => desk.getByPlaceholder('Type your message...');
    await field(anaDesk).pressSequentially('At eight.');
    await expect(notice(benDesk)).toHaveText('Ana Kovač is replying');
    await field(benDesk).pressSequentially('At nine!');
    await expect(notice(anaDesk)).toHaveText('Ben Ito is replying');

    // Both replies are sent before either side can receive the other.
    for (const line of lines) {
      line.onDown = (frame) => (JSON.parse(frame).type === 'message' ? undefined : frame);
    }
    await Promise.all([field(anaDesk).press('Enter'), field(benDesk).press('Enter')]);
    await expect.poll(() => storedTexts(invite)).toHaveLength(2);
    const stored = await storedTexts(invite);
    // The losing reply appears nowhere. The winning reply appears on every screen.
    for (const page of [anaDesk, benDesk, visitor]) await expectTexts(page, stored);
    expect(await storedTexts(invite)).toEqual(stored);
    await expect(visitor.getByRole('status').filter({ hasText: /Ben|Ana/ })).toHaveCount(0);

    await benDesk.getByRole('button', { name: 'Back to Queue' }).click();
    await expect(notice(anaDesk)).toHaveCount(0);
  },
);
