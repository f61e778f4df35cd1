import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { storedTexts } from './database.ts';
import { holdLine } from './network.ts';
import { typeUntilSeen } from './pages.ts';
import { chatOfTwo, chooseInMenu, expectTexts, newPerson, send, signIn, startChat } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (desk: Page) => desk.getByPlaceholder('Type your message...');

test(
  '[CONSOLE-20] [CONSOLE-16] colleagues in one chat see each other and their notes, and of two replies at once one is stored',
  alsoInFirefox,
  async ({ browser }) => {
    const canary = `canary-${randomUUID()}`;
    const ana = createHandler();
    const ben = createHandler(ana.alias, process.env, {
      name: 'Ben Ito',
      email: `ben.${ana.alias}@settee.example`,
    });
    const invite = createInvite(ana.alias);
    const { page: visitor } = await newPerson(browser);
    const received: string[] = [];
    visitor.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => received.push(String(payload))),
    );
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
    await expect(notice(anaDesk)).toContainText('Ben Ito is viewing this chat');
    await expect(notice(benDesk)).toContainText('Ana Kovač is viewing this chat');
    await expectTexts(benDesk, ['When does it begin?']);

    await anaDesk.getByRole('tab', { name: 'Note' }).click();
    await anaDesk.keyboard.type(`No spoilers, ${canary}`);
    await anaDesk.keyboard.press('Enter');
    for (const desk of [anaDesk, benDesk])
      await expect(desk.getByRole('log').getByRole('note')).toContainText(`No spoilers, ${canary}`);
    await anaDesk.getByRole('tab', { name: 'Reply' }).click();

    const replies = (desk: Page, name: string) => notice(desk).filter({ hasText: `${name} is replying` });
    await typeUntilSeen(field(anaDesk), 'At eight.', replies(benDesk, 'Ana Kovač'));
    await typeUntilSeen(field(benDesk), 'At nine!', replies(anaDesk, 'Ben Ito'));
    // Both replies are sent before either side can receive the other.
    for (const line of lines) {
      line.onDown = (frame) => (JSON.parse(frame).type === 'message' ? undefined : frame);
    }
    await Promise.all([field(anaDesk).press('Enter'), field(benDesk).press('Enter')]);
    await expect.poll(() => storedTexts(invite)).toHaveLength(2);
    const stored = await storedTexts(invite);
    // The winning reply appears on every screen. The losing one waits in its bubble, for its writer only.
    const anaWins = stored[1] === 'At eight.';
    const [winner, loser] = anaWins ? [anaDesk, benDesk] : [benDesk, anaDesk];
    for (const page of [winner, visitor]) await expectTexts(page, stored);
    await expectTexts(loser, [...stored, anaWins ? 'At nine!' : 'At eight.']);
    await expect(loser.getByRole('log').getByRole('alert')).toContainText('A colleague answered first.');
    expect(await storedTexts(invite)).toEqual(stored);

    // The visitor received the reply, and nothing about notes or about who of the staff is there.
    expect(received.join()).toContain(stored[1]);
    for (const hidden of [canary, '"type":"note"', 'Ben Ito', 'Ana Kovač'])
      expect(received.join()).not.toContain(hidden);
    await button(benDesk, 'Back to Queue').click();
    await expect(notice(anaDesk)).toHaveCount(0);
  },
);

test('[CONSOLE-33] [S-09] Close can be undone for 10 s, longer while the toast has pointer or focus; Block asks first', async ({
  browser,
}) => {
  const { visitor, desk } = await chatOfTwo(browser, 'Jonas Weber');
  await send(visitor, 'Good morning');
  await expectTexts(desk, ['Good morning']);
  const address = desk.url();
  const toast = desk.getByRole('status').filter({ hasText: 'Closed the chat with Jonas Weber.' });
  const undo = desk.getByRole('button', { name: 'Undo' });
  const closed = visitor.getByText('This conversation was closed. Sending a message reopens it.');
  // From now on only the test lets time pass.
  await desk.clock.install();
  await desk.clock.pauseAt(Date.now() + 1_000);

  await button(desk, 'Close').click();
  await expect(desk).toHaveURL('/handler');
  await expect(toast).toBeVisible();
  // With the keyboard, Undo is the next element. The toast waits while it has the focus.
  await desk.keyboard.press('Tab');
  await expect(undo).toBeFocused();
  await expect(desk.getByText('No conversations')).toBeVisible();
  await expect(closed).toBeVisible();
  await desk.clock.runFor(20_000);
  await desk.keyboard.press('Enter');
  await expect(desk).toHaveURL(address);
  await expect(closed).toHaveCount(0);
  await expectTexts(desk, ['Good morning']);

  await button(desk, 'Close').click();
  await expect(toast).toBeVisible();
  await toast.getByText('Closed the chat with Jonas Weber.').hover();
  await desk.clock.runFor(20_000);
  await expect(toast).toBeVisible();
  await desk.mouse.move(900, 300);
  await desk.clock.runFor(10_500);
  await expect(undo).toHaveCount(0);
  await desk.goto(address);
  await button(desk, 'Reopen').click();
  await expect(button(desk, 'Close')).toBeVisible();

  await button(desk, 'Block').click();
  const question = desk.getByRole('dialog', { name: 'Block Jonas Weber?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Block' }).click();
  await expect(desk).toHaveURL('/handler');
  await expect(desk.getByText('No conversations')).toBeVisible();
  await expect(visitor.getByText('This conversation is closed')).toBeVisible();
});

test('[CONSOLE-28] [H-08] hand-over takes a desk and a note; the old page can only be read until the chat returns', async ({
  browser,
}) => {
  const { visitor, desk, handler } = await chatOfTwo(browser, 'Mia');
  const other = createHandler();
  await send(visitor, 'Who are you?');
  await expectTexts(desk, ['Who are you?']);
  const { page: second } = await newPerson(browser);
  await signIn(second, handler);
  await second.goto(desk.url());
  await expectTexts(second, ['Who are you?']);

  /** Hands the open chat over to another desk. */
  async function handOver(from: Page, alias: string, note?: string): Promise<void> {
    await chooseInMenu(from, 'Hand over');
    const dialog = from.getByRole('dialog', { name: 'Hand over the chat with Mia' });
    await dialog.getByRole('radio', { name: new RegExp(alias) }).check();
    if (note) await dialog.getByLabel('Note for the next handler').fill(note);
    await dialog.getByRole('button', { name: 'Hand over' }).click();
    await expect(from).toHaveURL('/handler');
    await expect(from.getByText(`Handed over to ${alias}.`)).toBeVisible();
  }
  await handOver(desk, other.alias, 'She asked for you');
  await expect(desk.getByText('No conversations')).toBeVisible();

  // The other window of the same desk had it open.
  const left = second.getByText('This conversation is no longer at your desk.');
  await expect(left).toBeVisible();
  await expectTexts(second, ['Who are you?']);
  await expect(field(second)).toHaveCount(0);
  for (const name of ['Close', 'Block', 'More']) await expect(button(second, name)).toBeDisabled();
  // For the other handlers of the old desk it does not exist.
  await desk.goto(second.url());
  await expect(desk).toHaveURL('/handler');
  await expect(desk.getByText('Conversation not found')).toBeVisible();

  // The other desk gets it, marked and with the note. The visitor notices nothing.
  const { page: taker } = await newPerson(browser);
  await signIn(taker, other);
  const taken = taker.getByRole('link', { name: /Mia/ });
  await expect(taken).toContainText('Marked unread');
  await taken.click();
  await expect(taker.getByRole('log')).toContainText(`from ${handler.alias} to ${other.alias}`);
  await expect(taker.getByRole('log')).toContainText('She asked for you');
  await expect(taken).not.toContainText('Marked unread');
  await send(taker, 'The one you asked for');
  await expectTexts(visitor, ['Who are you?', 'The one you asked for']);
  await expect(visitor.getByText('She asked for you')).toHaveCount(0);

  // The chat returns. The page that had it open can be written in again.
  await handOver(taker, handler.alias);
  await expect(left).toHaveCount(0);
  await expectTexts(second, ['Who are you?', 'The one you asked for']);
  await send(second, 'Back again');
  await expectTexts(visitor, ['Who are you?', 'The one you asked for', 'Back again']);
});
