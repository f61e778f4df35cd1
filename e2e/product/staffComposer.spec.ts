import { randomUUID } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import { createHandler, createInvite, type Handler } from './accounts.ts';
import { storedTexts } from './database.ts';
import { holdLine } from './network.ts';
import { unsent } from './pages.ts';
import { bubbles, expectTexts, newPerson, send, signIn, startChat } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

const reply = (page: Page) => page.getByRole('textbox', { name: 'Type your message...' });
const note = (page: Page) => page.getByRole('textbox', { name: 'Write a note that only staff see...' });
const notes = (page: Page) => page.getByRole('log').getByRole('note');

async function openDesk(browser: Browser, handler: Handler, visitor: string): Promise<Page> {
  const { page } = await newPerson(browser);
  await signIn(page, handler);
  await openChat(page, visitor);
  return page;
}

async function openChat(desk: Page, visitor: string): Promise<void> {
  await desk.getByRole('link', { name: new RegExp(visitor) }).click();
  await expect(desk.getByRole('heading', { name: visitor })).toBeVisible();
  await expect(reply(desk)).toBeVisible();
}

test('a note shows among the messages of every console, live, and never reaches the visitor', async ({
  browser,
}) => {
  const canary = `canary-${randomUUID()}`;
  const handler = createHandler();
  const invite = createInvite(handler.alias);
  const { page: visitor } = await newPerson(browser);
  const received: string[] = [];
  visitor.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => received.push(String(payload))),
  );
  await startChat(visitor, invite, 'Jonas Weber');
  await send(visitor, 'Before the note');
  const desk = await openDesk(browser, handler, 'Jonas Weber');
  const other = await openDesk(browser, handler, 'Jonas Weber');
  await expectTexts(other, ['Before the note']);

  await desk.getByRole('tab', { name: 'Note' }).click();
  await expect(note(desk)).toBeFocused();
  await note(desk).pressSequentially(`No spoilers, ${canary}`);
  await note(desk).press('Enter');
  for (const page of [desk, other]) {
    await expect(notes(page)).toHaveText(
      new RegExp(`No spoilers, ${canary}Note from Ana Kovač, \\d\\d:\\d\\d. Only staff see this.`),
    );
  }
  await expect(note(desk)).toHaveValue('');

  // The visitor received nothing, not even the typing indicator. The next message shows that the connection works.
  expect(received.join()).not.toContain('typing');
  await desk.getByRole('tab', { name: 'Reply' }).click();
  await send(desk, 'After the note');
  await expectTexts(visitor, ['Before the note', 'After the note']);
  await other.reload();
  await expect(notes(other)).toHaveCount(1);
  await expect(other.getByRole('log')).toHaveText(/Before the note.*No spoilers.*After the note/s);

  // A note whose response was lost is not duplicated when it is added again.
  await desk.route('**/notes', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    await route.abort();
  });
  await desk.getByRole('tab', { name: 'Note' }).click();
  await note(desk).fill(`Added once, ${canary}`);
  await note(desk).press('Enter');
  await expect(desk.getByRole('alert').filter({ hasText: 'Failed to add the note' })).toBeVisible();
  await expect(note(desk)).toHaveValue(`Added once, ${canary}`);
  await desk.unroute('**/notes');
  await desk.getByRole('button', { name: 'Add note' }).click();
  await expect(desk.getByText('Failed to add the note')).toBeHidden();
  await desk.reload();
  await expect(notes(desk)).toHaveCount(2);
  await expect(notes(other)).toHaveCount(2);

  await visitor.reload();
  await expectTexts(visitor, ['Before the note', 'After the note']);
  expect(received.length).toBeGreaterThan(3);
  expect(received.join()).not.toContain(canary);
  expect(received.join()).not.toContain('"type":"note"');
  expect(await visitor.content()).not.toContain(canary);
});

test(
  '[CONSOLE-16] a reply on an outdated view is held: its text returns, with what was missed',
  alsoInFirefox,
  async ({ browser }) => {
    const handler = createHandler();
    const invite = createInvite(handler.alias);
    const { page: visitor } = await newPerson(browser);
    await startChat(visitor, invite, 'Jonas Weber');
    await send(visitor, 'May I read it to them?');
    const desk = await openDesk(browser, handler, 'Jonas Weber');
    const { page: other } = await newPerson(browser);
    const line = await holdLine(other);
    await signIn(other, handler);
    await openChat(other, 'Jonas Weber');
    await expectTexts(other, ['May I read it to them?']);

    // The colleague's answer is delayed, so this reply is sent first.
    let deaf = true;
    line.onDown = (frame) => {
      deaf &&= JSON.parse(frame).type !== 'refused';
      return deaf ? undefined : frame;
    };
    await send(desk, 'Of course');
    await expectTexts(visitor, ['May I read it to them?', 'Of course']);
    await reply(other).fill('No, sorry');
    await reply(other).press('ControlOrMeta+Enter');
    const held = other.getByRole('alert').filter({ hasText: 'Someone else replied while you were writing.' });
    await expect(held).toBeVisible();
    await expect(reply(other)).toHaveValue('No, sorry');
    // The reply is neither sent nor is the chat closed, and the missed message is shown.
    await expectTexts(other, ['May I read it to them?', 'Of course']);
    await expect(bubbles(visitor)).toHaveCount(2);

    await other.reload();
    // A message that is not on the page yet would hold the next reply as well.
    await expectTexts(other, ['May I read it to them?', 'Of course']);
    await expect(reply(other)).toHaveValue('No, sorry');
    await reply(other).fill('As my colleague says');
    await reply(other).press('Enter');
    await expectTexts(visitor, ['May I read it to them?', 'Of course', 'As my colleague says']);
    expect(await storedTexts(invite)).toEqual([
      'May I read it to them?',
      'Of course',
      'As my colleague says',
    ]);
  },
);

test(
  '[MSG-19] a returned reply that was stored is stored once when it is sent again',
  alsoInFirefox,
  async ({ browser }) => {
    const handler = createHandler();
    const invite = createInvite(handler.alias);
    const { page: visitor } = await newPerson(browser);
    await startChat(visitor, invite, 'Jonas Weber');
    const { page: desk } = await newPerson(browser);
    const line = await holdLine(desk);
    await signIn(desk, handler);
    await openChat(desk, 'Jonas Weber');

    // The server stores the reply. The page learns that the chat is gone, but not that the reply was stored.
    line.onUp = (frame, answer) => {
      const { type, conversationId } = JSON.parse(frame);
      if (type === 'send') answer(JSON.stringify({ type: 'gone', conversationId }));
      return frame;
    };
    line.onDown = (frame) => (['ack', 'message'].includes(JSON.parse(frame).type) ? undefined : frame);
    await reply(desk).fill('See you there');
    await reply(desk).press('Enter');
    await expect(desk.getByText('A chat left your desk before your reply was sent.')).toBeVisible();
    await expect.poll(() => storedTexts(invite)).toEqual(['See you there']);
    await expect.poll(() => unsent(desk)).toBe(0);

    line.onUp = (frame) => frame;
    line.onDown = (frame) => frame;
    await desk.reload();
    await expect(reply(desk)).toHaveValue('See you there');
    await reply(desk).press('Enter');
    await expect(reply(desk)).toHaveValue('');
    // The next message shows that the server has handled the first one.
    await send(desk, 'At eight');
    await expectTexts(visitor, ['See you there', 'At eight']);
    await expectTexts(desk, ['See you there', 'At eight']);
    expect(await storedTexts(invite)).toEqual(['See you there', 'At eight']);
  },
);
