import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { RenderResult } from 'vitest-browser-react';
import { aChat, ana } from '../../../test/aDesk.ts';
import type { Answers } from '../../../test/fakeGateway.ts';
import { renderConsole } from '../../../test/renderConsole.tsx';

const writing = (screen: RenderResult) => ({
  reply: screen.getByRole('textbox', { name: 'Type your message...' }),
  note: screen.getByRole('textbox', { name: 'Write a note that only staff see...' }),
  tab: (name: string) => screen.getByRole('tab', { name }),
  async open(visitor: string) {
    await screen.getByRole('link', { name: new RegExp(visitor) }).click();
    await expect.element(screen.getByRole('heading', { name: visitor, level: 1 })).toBeVisible();
  },
});

function addNote({ params, body }: { params: Record<string, string>; body: { id: string; text: string } }) {
  const shared = { conversationId: params.id ?? '', afterSeq: 0, author: ana.name, createdAt: Date.now() };
  return { note: { ...shared, ...body } };
}

const twoChats = () => [aChat('Jonas Weber', []), aChat('Léa Moreau', [])];
const answers: Answers = { addNote };

test('[MSG-19] drafts of reply and note are separate, per conversation, and survive a reload', async () => {
  const { screen } = await renderConsole({ chats: twoChats() });
  const first = writing(screen);
  await first.open('Jonas Weber');
  await first.reply.fill('To Jonas');
  await first.tab('Note').click();
  await first.note.fill('About Jonas');
  await first.open('Léa Moreau');
  await expect.element(first.reply).toHaveValue('');
  await first.reply.fill('To Léa');
  const path = location.pathname;
  await screen.unmount();

  const { screen: reloaded, gateway } = await renderConsole({ path, chats: twoChats(), answers });
  const { reply, note, tab, open } = writing(reloaded);
  await expect.element(reply).toHaveValue('To Léa');
  await open('Jonas Weber');
  await expect.element(reply).toHaveValue('To Jonas');
  // With the arrow key, as usual between tabs. Opening a chat focuses its field.
  await expect.element(reply).toHaveFocus();
  (tab('Reply').element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(tab('Note')).toHaveFocus();
  await expect.element(note).toHaveValue('About Jonas');

  // A note on a slow connection stays in the field when the handler comes back, until it is stored.
  const release = gateway.hold('addNote');
  await note.click();
  await userEvent.keyboard('{Enter}');
  await expect.element(note).toHaveValue('');
  await open('Léa Moreau');
  await open('Jonas Weber');
  await tab('Note').click();
  await expect.element(note).toHaveValue('About Jonas');
  release();
  await expect.element(reloaded.getByRole('log').getByRole('note')).toBeVisible();
  await expect.element(note).toHaveValue('');
});

test('[MSG-19] a chat with an unsent reply stays open; a stored reply can close it, unless more was typed', async () => {
  const chats = twoChats();
  const { screen, gateway } = await renderConsole({
    chats,
    answers: {
      setStatus({ params, body }) {
        const chat = chats.find(({ conversation }) => conversation.id === params.id);
        if (!chat) throw new Error('no chat');
        chat.conversation.status = body.status;
        return { conversation: chat.conversation };
      },
    },
  });
  const { reply, open } = writing(screen);
  const { send } = gateway.onFrame;
  gateway.onFrame.send = () => [];
  await open('Jonas Weber');
  await reply.fill('To Jonas');
  await userEvent.keyboard('{Enter}');
  await userEvent.keyboard('{Control>}e{/Control}');
  await expect
    .element(screen.getByText('A reply has not been sent yet, so the chat stays open.'))
    .toBeVisible();
  await open('Léa Moreau');
  await reply.fill('To Léa');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await reply.fill('And');
  if (send) gateway.onFrame.send = send;
  gateway.drop();
  gateway.restore();
  const stored = (name: string) =>
    chats.find(({ row }) => row.visitorName === name)?.messages.map(({ text }) => text);
  await expect.poll(() => stored('Jonas Weber')).toEqual(['To Jonas']);
  await expect.poll(() => stored('Léa Moreau')).toEqual(['To Léa']);
  await expect.element(screen.getByText('Sent')).toBeVisible();
  await expect.element(reply).toHaveValue('And');
  expect(gateway.asked('setStatus')).toEqual([]);

  await reply.click();
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.element(screen.getByText('Closed the chat with Léa Moreau.')).toBeVisible();
  expect(stored('Léa Moreau')).toEqual(['To Léa', 'And']);
  await expect.element(screen.getByRole('link', { name: /Léa Moreau/ })).not.toBeInTheDocument();
  await expect.element(screen.getByRole('link', { name: /Jonas Weber/ })).toBeVisible();
});

test('the notes are read again after a disconnect', async () => {
  const [jonas = aChat('Jonas Weber')] = twoChats();
  const { id } = jonas.conversation;
  const path = `/handler/conversation/${id}`;
  const { screen, gateway } = await renderConsole({ path, chats: [jonas] });
  await expect.element(screen.getByText('No messages yet')).toBeVisible();
  gateway.drop();
  const { note } = addNote({
    params: { id },
    body: { id: crypto.randomUUID(), text: 'While the other was away' },
  });
  gateway.answer('readNotes', { notes: [note] });
  gateway.restore();
  await expect.element(screen.getByText('While the other was away')).toBeVisible();
});
