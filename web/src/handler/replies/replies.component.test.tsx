import type { SavedReply } from '@settee/protocol/model/savedReply';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { aChat } from '../../../test/aDesk.ts';
import { addMessage, idOf } from '../../../test/chats.ts';
import { Refused } from '../../../test/fakeGateway.ts';
import { renderConsole } from '../../../test/renderConsole.tsx';

const aReply = (shortcut: string, text: string, more: Partial<SavedReply> = {}): SavedReply => ({
  id: idOf(shortcut),
  shortcut,
  text,
  shared: false,
  editable: true,
  ...more,
});

const thanks = () => aReply('thanks', 'Thank you so much, {name}!');

/** A console with one open chat, on a server that stores replies. */
async function openChat(replies: SavedReply[] = [thanks()]) {
  const jonas = aChat('Jonas Weber', []);
  const { screen, gateway } = await renderConsole({
    path: `/handler/conversation/${jonas.conversation.id}`,
    chats: [jonas],
    answers: {
      readReplies: () => ({ replies }),
      saveReply({ params, body }) {
        const taken = replies.some(
          ({ shortcut, shared }) => shortcut === body.shortcut && shared === body.shared,
        );
        if (taken) return new Refused('shortcut_taken');
        const reply = { id: params.id ?? '', editable: true, ...body };
        replies.push(reply);
        return { reply };
      },
      deleteReply({ params }) {
        replies.splice(
          replies.findIndex(({ id }) => id === params.id),
          1,
        );
        return {};
      },
    },
  });
  await expect.element(screen.getByText('No messages yet')).toBeVisible();
  return {
    screen,
    gateway,
    jonas,
    reply: screen.getByRole('textbox', { name: 'Type your message...' }),
    options: screen.getByRole('listbox', { name: 'Saved replies' }).getByRole('option'),
    insert: screen.getByRole('button', { name: 'Insert a saved reply' }),
    dialog: screen.getByRole('dialog', { name: 'Saved replies' }),
  };
}

test('saved replies are created with a valid, free shortcut, and deleted after a question', async () => {
  const { screen, dialog } = await openChat([]);
  await screen.getByRole('navigation').getByRole('button', { name: 'Saved replies' }).click();
  const add = dialog.getByRole('button', { name: 'New reply' });
  const save = dialog.getByRole('button', { name: 'Save' });
  await add.click();
  await dialog.getByLabelText('Shortcut').fill('so long');
  await dialog.getByLabelText('Text').fill('Thank you so much, {name}!');
  await save.click();
  await expect.element(dialog.getByText('A shortcut has letters, digits and dashes only')).toBeVisible();
  await expect.element(dialog.getByLabelText('Shortcut')).toHaveFocus();
  await dialog.getByLabelText('Shortcut').fill('/thanks');
  await dialog.getByLabelText('Share with all handlers').click();
  await save.click();
  await expect.element(dialog.getByRole('listitem').getByText('Shared')).toBeVisible();

  await add.click();
  await dialog.getByLabelText('Shortcut').fill('thanks');
  await dialog.getByLabelText('Text').fill('Another');
  await dialog.getByLabelText('Share with all handlers').click();
  await save.click();
  await expect.element(dialog.getByText('There is a saved reply with this shortcut already')).toBeVisible();
  // Esc goes from the form to the list, and from the list out.
  await userEvent.keyboard('{Escape}');
  await expect.element(add).toHaveFocus();
  await dialog.getByRole('button', { name: 'Delete /thanks' }).click();
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.element(dialog.getByRole('listitem')).not.toBeInTheDocument();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
});

test('a shared reply of a colleague cannot be changed', async () => {
  const { screen, dialog } = await openChat([
    aReply('thanks', 'Thank you', { shared: true, editable: false }),
  ]);
  await screen.getByRole('navigation').getByRole('button', { name: 'Saved replies' }).click();
  await expect.element(dialog.getByRole('listitem')).toBeVisible();
  await expect.element(dialog.getByRole('button', { name: 'Edit /thanks' })).not.toBeInTheDocument();
});

test('a slash finds replies, Enter fills in the name, and an incomplete shortcut is not sent', async () => {
  const { screen, gateway, reply, options } = await openChat();
  await reply.click();
  await userEvent.keyboard('Well: and/or');
  await expect.element(reply).not.toHaveAttribute('aria-controls');
  await userEvent.keyboard(' /thank');
  await expect.element(options).toHaveTextContent('/thanksThank you so much, Jonas Weber!');
  await expect.element(reply).toHaveAttribute('aria-activedescendant', options.element().id);
  await userEvent.keyboard('{Enter}');
  await userEvent.keyboard(' And more /');
  await expect.element(options).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(options).not.toBeInTheDocument();
  const text = 'Well: and/or Thank you so much, Jonas Weber! And more /';
  await expect.element(reply).toHaveValue(text);
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('log')).toHaveFocus();
  // One key switches between reply and note, and types nothing.
  await userEvent.keyboard('{Control>}i{/Control}');
  await expect
    .element(screen.getByRole('textbox', { name: 'Write a note that only staff see...' }))
    .toHaveFocus();
  await userEvent.keyboard('{Control>}i{/Control}');
  await expect.element(reply).toHaveFocus();
  await expect.element(reply).toHaveValue(text);

  await reply.fill('');
  await screen.getByRole('log').click();
  await userEvent.keyboard('/');
  await expect.element(reply).toHaveValue('/');
  await userEvent.keyboard('thanks');
  await expect.element(options).toBeVisible();
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.element(reply).toHaveValue('Thank you so much, Jonas Weber!');
  expect(gateway.received('send')).toEqual([]);
  await reply.fill('/thanks');
  await expect.element(options).toBeVisible();
  await userEvent.keyboard('{Tab}');
  await userEvent.keyboard('{Enter}');
  await expect
    .poll(() => gateway.received('send').map((frame) => frame.text))
    .toEqual(['Thank you so much, Jonas Weber!']);
});

test('the details show facts that follow the chat, and the first replies, which a click inserts', async () => {
  const { screen, gateway, jonas, reply, dialog } = await openChat();
  const details = screen.getByRole('complementary', { name: 'Details' });
  const fact = (name: string) => () =>
    [...details.element().querySelectorAll('dt')].find((term) => term.textContent === name)
      ?.nextElementSibling?.textContent;
  await expect.poll(fact('Invite')).toBe('Spring tour');
  expect(fact('Started')()).toMatch(/\d\d:\d\d/);
  expect(fact('Messages')()).toBe('0');
  expect(fact('Devices')()).toBe('1');
  await expect.element(details.getByText('No reply yet')).toBeVisible();
  // The frame has the number before the details are read again.
  const release = gateway.hold('readDetails');
  gateway.push({ type: 'message', message: addMessage(jonas, 'You are welcome') });
  await expect.poll(fact('Messages')).toBe('1');
  release();
  const known = { inviteLabel: 'Spring tour', startedAt: Date.now(), messages: 2, devices: 1 };
  gateway.answer('readDetails', { details: { ...known, medianReplyMs: 60_000 } });
  await reply.fill('Any time');
  await userEvent.keyboard('{Enter}');
  await expect.poll(fact('Messages')).toBe('2');
  await expect.element(details.getByText('No reply yet')).not.toBeInTheDocument();
  // Staff see a new label only here. The conversation has another revision then.
  const { conversation } = jonas;
  gateway.answer('readDetails', { details: { ...known, medianReplyMs: 60_000, inviteLabel: 'Book fair' } });
  gateway.push({ type: 'conversation', conversation: { ...conversation, rev: conversation.rev + 1 } });
  await expect.poll(fact('Invite')).toBe('Book fair');

  await reply.fill('P.S.');
  await details.getByRole('button', { name: /^\/thanks/ }).click();
  await expect.element(reply).toHaveValue('P.S. Thank you so much, Jonas Weber!');
  await expect.element(reply).toHaveFocus();
  await details.getByRole('button', { name: 'Edit: Saved replies' }).click();
  await expect.element(dialog).toBeVisible();
});
