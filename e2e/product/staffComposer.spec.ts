import { randomUUID } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import { createHandler, createInvite, createInvites, type Handler } from './accounts.ts';
import { storedTexts } from './database.ts';
import {
  bubbles,
  expectTexts,
  hold,
  holdLine,
  newPerson,
  send,
  signIn,
  slowOutbox,
  startChat,
} from './people.ts';
import { unsent } from './unsent.ts';
import { expect, test } from './watched.ts';

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

test('[CONSOLE-21] a note shows among the messages of every console, live, and never reaches the visitor', async ({
  browser,
}) => {
  const canary = `canary-${randomUUID()}`;
  const handler = createHandler();
  const invite = createInvite(handler.alias);
  const { page: visitor } = await newPerson(browser);
  const heard: string[] = [];
  visitor.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => heard.push(String(payload))),
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
  expect(heard.join()).not.toContain('typing');
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
  expect(heard.length).toBeGreaterThan(3);
  expect(heard.join()).not.toContain(canary);
  expect(heard.join()).not.toContain('"type":"note"');
  expect(await visitor.content()).not.toContain(canary);
});

test('[CONSOLE-27] [CONSOLE-35] [CONSOLE-13] saved replies: created, found by a slash, filled with the name, shared, deleted', async ({
  browser,
}) => {
  // All tests share the shared replies: this one must be unique and sort first.
  const mine = `0-thanks-${randomUUID().slice(0, 8)}`;
  const handler = createHandler();
  const { page: visitor } = await newPerson(browser);
  await startChat(visitor, createInvite(handler.alias), 'Jonas Weber');
  const desk = await openDesk(browser, handler, 'Jonas Weber');
  const dialog = desk.getByRole('dialog', { name: 'Saved replies' });
  const options = desk.getByRole('listbox', { name: 'Saved replies' }).getByRole('option');

  await desk.getByRole('button', { name: 'Insert a saved reply' }).click();
  await expect(reply(desk)).toBeFocused();
  await expect(reply(desk)).toHaveValue('/');
  // The button typed the slash, so Esc removes it.
  await desk.keyboard.press('Escape');
  await expect(reply(desk)).toHaveValue('');
  // Two presses make one slash. It is never sent and is no draft.
  await desk.getByRole('button', { name: 'Insert a saved reply' }).click();
  await desk.getByRole('button', { name: 'Insert a saved reply' }).click();
  await expect(reply(desk)).toHaveValue('/');
  await desk.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(reply(desk)).toHaveValue('');
  await desk.getByRole('button', { name: 'Insert a saved reply' }).click();
  await desk.getByRole('log').click();
  await expect(reply(desk)).toHaveValue('');
  await expect(bubbles(desk)).toHaveCount(0);

  await desk.getByRole('navigation').getByRole('button', { name: 'Saved replies' }).click();
  await dialog.getByRole('button', { name: 'New reply' }).click();
  await dialog.getByLabel('Shortcut').fill('so long');
  await dialog.getByLabel('Text').fill('Thank you so much, {name}!');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('A shortcut has letters, digits and dashes only')).toBeVisible();
  await expect(dialog.getByLabel('Shortcut')).toBeFocused();
  await dialog.getByLabel('Shortcut').fill(`/${mine}`);
  await dialog.getByLabel('Share with all handlers').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('listitem').filter({ hasText: mine })).toContainText('Shared');

  await dialog.getByRole('button', { name: 'New reply' }).click();
  await dialog.getByLabel('Shortcut').fill(mine);
  await dialog.getByLabel('Text').fill('Another');
  await dialog.getByLabel('Share with all handlers').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('There is a saved reply with this shortcut already')).toBeVisible();
  // Esc goes from the form to the list, and from the list out.
  await desk.keyboard.press('Escape');
  await expect(dialog.getByRole('button', { name: 'New reply' })).toBeFocused();
  await desk.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await reply(desk).fill('');
  await reply(desk).pressSequentially(`Well: and/or /${mine.slice(0, -1)}`);
  await expect(options).toHaveText([`/${mine}Thank you so much, Jonas Weber!`]);
  await expect(reply(desk)).toHaveAttribute(
    'aria-activedescendant',
    (await options.getAttribute('id')) ?? '',
  );
  await desk.keyboard.press('Enter');
  await desk.keyboard.type(' And more /');
  await expect(options.first()).toBeVisible();
  await desk.keyboard.press('Escape');
  await expect(options).toHaveCount(0);
  await expect(reply(desk)).toHaveValue('Well: and/or Thank you so much, Jonas Weber! And more /');
  await desk.keyboard.press('Escape');
  await expect(desk.getByRole('log')).toBeFocused();
  // One key switches between reply and note, and types nothing.
  await desk.keyboard.press('ControlOrMeta+i');
  await expect(note(desk)).toBeFocused();
  await desk.keyboard.press('ControlOrMeta+i');
  await expect(reply(desk)).toBeFocused();
  await expect(reply(desk)).toHaveValue('Well: and/or Thank you so much, Jonas Weber! And more /');
  await reply(desk).fill('');
  await desk.getByRole('log').focus();
  await desk.keyboard.press('/');
  await expect(reply(desk)).toHaveValue('/');
  await desk.keyboard.type(mine);
  // An incomplete shortcut is not sent and does not close the chat.
  await desk.keyboard.press('ControlOrMeta+Enter');
  await expect(reply(desk)).toHaveValue('Thank you so much, Jonas Weber!');
  await reply(desk).fill(`/${mine}`);
  await desk.keyboard.press('Tab');
  await desk.keyboard.press('Enter');
  await expectTexts(visitor, ['Thank you so much, Jonas Weber!']);

  // Beside the conversation are its details, the first few replies and a link to all of them.
  const details = desk.getByRole('complementary', { name: 'Details' });
  await expect(details).toContainText(/InviteNo label/);
  await expect(details).toContainText(/Started\d+ \w+, \d\d:\d\d/);
  await expect(details).toContainText('Messages1');
  await expect(details).toContainText('Devices1');
  await expect(details).toContainText('No reply yet');
  await send(visitor, 'You are welcome');
  await expect(details).toContainText('Messages2');
  await reply(desk).fill('Any time');
  await desk.keyboard.press('Enter');
  await expect(details).toContainText('Messages3');
  await expect(details).not.toContainText('No reply yet');
  await reply(desk).fill('P.S.');
  await details.getByRole('button', { name: `/${mine}` }).click();
  await expect(reply(desk)).toHaveValue('P.S. Thank you so much, Jonas Weber!');
  await expect(reply(desk)).toBeFocused();

  // Another handler has the shared reply, but cannot change it.
  const { page: colleague } = await newPerson(browser);
  await signIn(colleague, createHandler());
  await colleague.keyboard.press('ControlOrMeta+k');
  await colleague.getByRole('combobox').fill('Saved replies');
  await colleague
    .getByRole('option', { name: /^Saved replies/ })
    .first()
    .click();
  const theirs = colleague.getByRole('dialog', { name: 'Saved replies' });
  await expect(theirs.getByRole('listitem').filter({ hasText: mine })).toBeVisible();
  await expect(theirs.getByRole('button', { name: `Edit /${mine}` })).toHaveCount(0);

  await details.getByRole('button', { name: 'Edit: Saved replies' }).click();
  await dialog.getByRole('button', { name: `Delete /${mine}` }).click();
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(dialog.getByText(mine)).toHaveCount(0);
});

test('[CONSOLE-22] drafts of reply and note are separate, per conversation, and survive a reload; a reply can close the chat', async ({
  browser,
}) => {
  const handler = createHandler();
  const [first = '', second = ''] = createInvites(handler.alias, 2);
  const { page: jonas } = await newPerson(browser);
  const { page: lea } = await newPerson(browser);
  await startChat(jonas, first, 'Jonas Weber');
  await startChat(lea, second, 'Léa Moreau');
  const desk = await openDesk(browser, handler, 'Jonas Weber');

  await reply(desk).fill('To Jonas');
  await desk.getByRole('tab', { name: 'Note' }).click();
  await note(desk).fill('About Jonas');
  await openChat(desk, 'Léa Moreau');
  await expect(reply(desk)).toHaveValue('');
  await reply(desk).fill('To Léa');
  const line = await holdLine(desk);
  await desk.reload();
  await expect(reply(desk)).toHaveValue('To Léa');
  await openChat(desk, 'Jonas Weber');
  await expect(reply(desk)).toHaveValue('To Jonas');
  // With the arrow key, as usual between tabs.
  await desk.getByRole('tab', { name: 'Reply' }).focus();
  await desk.keyboard.press('ArrowRight');
  await expect(desk.getByRole('tab', { name: 'Note' })).toBeFocused();
  await expect(note(desk)).toHaveValue('About Jonas');

  // A note on a slow connection stays in the field when the handler comes back, until it is stored.
  const letNotesGo = await hold(desk, 'notes');
  await note(desk).press('Enter');
  await expect(note(desk)).toHaveValue('');
  await openChat(desk, 'Léa Moreau');
  await openChat(desk, 'Jonas Weber');
  await desk.getByRole('tab', { name: 'Note' }).click();
  await expect(note(desk)).toHaveValue('About Jonas');
  await letNotesGo();
  await expect(notes(desk)).toHaveCount(1);
  await expect(note(desk)).toHaveValue('');

  // A chat with an unsent reply cannot be closed.
  const passAll = line.onUp;
  const holdSends: typeof passAll = (frame) => (JSON.parse(frame).type === 'send' ? undefined : frame);
  line.onUp = holdSends;
  await desk.getByRole('tab', { name: 'Reply' }).click();
  await reply(desk).press('Enter');
  await desk.keyboard.press('ControlOrMeta+e');
  await expect(desk.getByText('A reply has not been sent yet, so the chat stays open.')).toBeVisible();
  await openChat(desk, 'Léa Moreau');
  await reply(desk).press('ControlOrMeta+Enter');
  await reply(desk).fill('And');
  line.onUp = passAll;
  await line.cut();
  await line.mend();
  await expectTexts(jonas, ['To Jonas']);
  await expectTexts(lea, ['To Léa']);
  await send(lea, 'Thanks');
  await expectTexts(desk, ['To Léa', 'Thanks']);
  await expect(reply(desk)).toHaveValue('And');

  await reply(desk).press('ControlOrMeta+Enter');
  await expect(desk.getByText('Closed the chat with Léa Moreau.')).toBeVisible();
  await expect(desk.getByRole('link', { name: /Léa Moreau/ })).toHaveCount(0);
  await expectTexts(lea, ['To Léa', 'Thanks', 'And']);
  expect(await storedTexts(second)).toEqual(['To Léa', 'Thanks', 'And']);
  await expect(desk.getByRole('link', { name: /Jonas Weber/ })).toBeVisible();
});

test('[CONSOLE-17] a reply on an outdated view is held: its text returns, with what was missed', async ({
  browser,
}) => {
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
  expect(await storedTexts(invite)).toEqual(['May I read it to them?', 'Of course', 'As my colleague says']);
});

test('[MSG-18] [MSG-27] text being sent when the chat goes becomes a draft again, and no typing is reported', async ({
  browser,
}) => {
  const handler = createHandler();
  const { page: visitor } = await newPerson(browser);
  await startChat(visitor, createInvite(handler.alias), 'Jonas Weber');
  const { page: desk } = await newPerson(browser);
  const line = await holdLine(desk);
  await signIn(desk, handler);
  await openChat(desk, 'Jonas Weber');
  await send(desk, 'Hello');
  await expectTexts(visitor, ['Hello']);

  // The chat moves to another desk while the reply is in flight.
  line.onUp = (frame, answer) => {
    const { type, conversationId } = JSON.parse(frame);
    if (type !== 'send') return frame;
    answer(JSON.stringify({ type: 'gone', conversationId }));
  };
  await reply(desk).fill('Too late');
  await reply(desk).press('Enter');
  await expect(desk.getByText('A chat left your desk before your reply was sent.')).toBeVisible();
  await expectTexts(desk, ['Hello']);
  // If the page ended before this, both draft and outbox would have the text.
  await expect.poll(() => unsent(desk)).toBe(0);

  // The chat comes back with the draft. Neither the draft nor the button's slash counts as typing.
  const said: string[] = [];
  line.onUp = (frame) => {
    said.push(JSON.parse(frame).type);
    return frame;
  };
  await desk.reload();
  await expect(reply(desk)).toHaveValue('Too late');
  await desk.getByRole('button', { name: 'Insert a saved reply' }).click();
  await expect(reply(desk)).toHaveValue('Too late /');
  await desk.keyboard.press('Escape');
  await expect(reply(desk)).toHaveValue('Too late');
  await reply(desk).press('Enter');
  await expectTexts(visitor, ['Hello', 'Too late']);
  expect(said).toContain('send');
  expect(said).not.toContain('typing');
});

test('[CONSOLE-12] a returned reply that was stored is stored once when it is sent again', async ({
  browser,
}) => {
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
});

test('[MSG-19] a reload before a reply is in the outbox loses no text', async ({ browser }) => {
  const handler = createHandler();
  const { page: visitor } = await newPerson(browser);
  await startChat(visitor, createInvite(handler.alias), 'Jonas Weber');
  const { page: desk } = await newPerson(browser);
  await slowOutbox(desk);
  await signIn(desk, handler);
  await openChat(desk, 'Jonas Weber');
  await send(desk, 'On its way');
  await expect(reply(desk)).toHaveValue('');
  await desk.reload();
  await expect(reply(desk)).toHaveValue('On its way');
  await reply(desk).press('Enter');
  await expectTexts(visitor, ['On its way']);
  await expect(reply(desk)).toHaveValue('');
});
