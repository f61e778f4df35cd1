import { CLOSE_FINAL } from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { RenderResult } from 'vitest-browser-react';
import { aChat, ana } from '../../../test/aDesk.ts';
import { holdDisk } from '../../../test/holdDisk.ts';
import { renderConsole } from '../../../test/renderConsole.tsx';
import { indexedDbOutbox } from '../../chat/outbox/indexedDbOutbox.ts';
import { staffStorageKey } from '../../chat/outbox/staffOutbox.ts';

const replyOf = (screen: RenderResult) => screen.getByRole('textbox', { name: 'Type your message...' });

function aPage() {
  const jonas = aChat('Jonas Weber', ['May I read it to them?']);
  return { jonas, path: `/handler/conversation/${jonas.conversation.id}` };
}

async function openPage({ jonas, path }: ReturnType<typeof aPage>) {
  const page = await renderConsole({ path, chats: [jonas] });
  await expect.element(page.screen.getByRole('log').getByText('May I read it to them?')).toBeVisible();
  return { ...page, reply: replyOf(page.screen) };
}

/** A page that closes while the outbox stores a reply, and what it leaves in `localStorage`. */
async function closeWhileSending() {
  const given = aPage();
  const { screen, reply } = await openPage(given);
  const disk = holdDisk();
  await reply.fill('On its way');
  await userEvent.keyboard('{Enter}');
  await expect.element(reply).toHaveValue('');
  const left = Object.entries(localStorage);
  await screen.unmount();
  return { given, disk, left };
}

test('[MSG-16] text being sent when the chat goes becomes a draft again, and no typing is reported', async () => {
  const given = aPage();
  const first = await openPage(given);
  first.gateway.onFrame.send = () => [];
  await first.reply.fill('Too late');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => first.gateway.received('send').length).toBe(1);
  await expect.element(first.screen.getByRole('button', { name: 'Send', exact: true })).toBeVisible();
  // The chat moves to another desk while the reply is in flight.
  first.gateway.push({ type: 'gone', conversationId: given.jonas.conversation.id });
  await expect
    .element(first.screen.getByText(/^A chat left your desk before your reply was sent\./))
    .toBeVisible();
  // If the page ended before this, both draft and outbox would have the text.
  const outbox = indexedDbOutbox(staffStorageKey(ana.staffId));
  await expect.poll(() => outbox.listAll()).toEqual([]);
  await first.screen.unmount();

  // The chat comes back with the draft. Neither the draft nor the button's slash counts as typing.
  const { screen, gateway, reply } = await openPage(given);
  await expect.element(reply).toHaveValue('Too late');
  await screen.getByRole('button', { name: 'Insert a saved reply' }).click();
  await expect.element(reply).toHaveValue('Too late /');
  await userEvent.keyboard('{Escape}');
  await expect.element(reply).toHaveValue('Too late');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => gateway.received('send').map(({ text }) => text)).toEqual(['Too late']);
  expect(gateway.received('typing')).toEqual([]);
});

test('[MSG-16] text that returns while the outbox still stores it stays a draft', async () => {
  const given = aPage();
  const first = await openPage(given);
  const disk = holdDisk();
  await first.reply.fill('Too late');
  await userEvent.keyboard('{Enter}');
  first.gateway.push({ type: 'gone', conversationId: given.jonas.conversation.id });
  await expect
    .element(first.screen.getByText(/^A chat left your desk before your reply was sent\./))
    .toBeVisible();
  await expect.element(first.reply).not.toBeInTheDocument();
  disk.release();
  const outbox = indexedDbOutbox(staffStorageKey(ana.staffId));
  await expect.poll(() => outbox.listAll()).toEqual([]);
  await first.screen.unmount();
  const { reply } = await openPage(given);
  await expect.element(reply).toHaveValue('Too late');
});

test('[MSG-19] a reload before a reply is in the outbox loses no text', async () => {
  const { given, disk, left } = await closeWhileSending();
  // The code of the closed page goes on in this test, and stores the text elsewhere.
  disk.lose();
  const elsewhere = `unsent_${staffStorageKey(ana.staffId)}`;
  await expect.poll(() => localStorage.getItem(elsewhere)).not.toBeNull();
  localStorage.clear();
  for (const [key, value] of left) localStorage.setItem(key, value);

  const { gateway, reply } = await openPage(given);
  await expect.element(reply).toHaveValue('On its way');
  await reply.click();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => gateway.received('send').map(({ text }) => text)).toEqual(['On its way']);
  await expect.element(reply).toHaveValue('');
});

test('[MSG-19] a reload just after a reply is in the outbox sends it once, and leaves no draft', async () => {
  const { given, disk, left } = await closeWhileSending();
  // The closed page does not learn that the outbox has the text. In this test, its code goes on.
  disk.release();
  const outbox = indexedDbOutbox(staffStorageKey(ana.staffId));
  await expect.poll(() => outbox.listAll()).toMatchObject([{ text: 'On its way' }]);
  await expect.poll(() => Object.values(localStorage)).not.toContain('On its way');
  for (const [key, value] of left) localStorage.setItem(key, value);

  const { gateway, reply } = await openPage(given);
  await expect.poll(() => gateway.received('send').map(({ text }) => text)).toEqual(['On its way']);
  await expect.element(reply).toHaveValue('');
  expect(Object.values(localStorage)).not.toContain('On its way');
});

test('[MSG-19] returned replies that are being sent when the session ends are all sent after the next sign-in', async () => {
  const given = aPage();
  const first = await openPage(given);
  const outbox = indexedDbOutbox(staffStorageKey(ana.staffId));
  const unsent = async () => (await outbox.listAll()).map(({ text }) => text);
  first.gateway.onFrame.send = () => [];
  for (const text of ['One', 'Two']) {
    await first.reply.fill(text);
    await userEvent.keyboard('{Enter}');
    await expect.poll(unsent).toContain(text);
  }
  await expect.poll(() => first.gateway.received('send').length).toBe(1);
  const [{ conversationId, id } = {}] = first.gateway.received('send');
  first.gateway.push({ type: 'refused', conversationId, id, code: 'reply_outdated' });
  await expect.element(first.reply).toHaveValue('One\nTwo');
  await expect.poll(unsent).toEqual([]);

  await first.reply.fill('One\nTwo\nThree');
  const disk = holdDisk();
  await userEvent.keyboard('{Enter}');
  await expect.element(first.reply).toHaveValue('');
  first.gateway.close(CLOSE_FINAL, 'signed_out');
  await expect.element(first.reply).not.toBeInTheDocument();
  disk.release();
  await expect.poll(unsent).toEqual(['One', 'Two', 'Three']);
  await first.screen.unmount();

  const { gateway, reply } = await openPage(given);
  await expect.poll(() => gateway.received('send').map(({ text }) => text)).toEqual(['One', 'Two', 'Three']);
  await expect.element(reply).toHaveValue('');
});

test('[CONSOLE-16] a held reply leaves a handler in their note, and becomes a draft of a chat that they left', async () => {
  const given = aPage();
  const { screen, gateway, reply } = await openPage(given);
  const sent: Extract<Up, { type: 'send' }>[] = [];
  gateway.onFrame.send = (frame) => {
    sent.push(frame);
    return [];
  };
  const refuse = () => {
    const { conversationId, id } = sent.at(-1) ?? {};
    gateway.push({ type: 'refused', conversationId, id, code: 'reply_outdated' });
  };
  await reply.fill('Too late');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => sent.length).toBe(1);
  await screen.getByRole('tab', { name: 'Note' }).click();
  refuse();
  await expect.element(screen.getByText(/^Someone else replied while you were writing\./)).toBeVisible();
  // What they type next is not for the visitor.
  await expect
    .element(screen.getByRole('textbox', { name: 'Write a note that only staff see...' }))
    .toHaveFocus();
  await screen.getByRole('tab', { name: 'Reply' }).click();
  await expect.element(reply).toHaveValue('Too late');

  await reply.fill('Too late again');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => sent.length).toBe(2);
  await screen.getByRole('button', { name: 'Back to Queue' }).click();
  await expect.element(reply).not.toBeInTheDocument();
  refuse();
  await expect
    .element(screen.getByRole('link', { name: /Jonas Weber/ }).getByText(/Too late again/))
    .toBeVisible();
  await screen.unmount();
  await expect.element((await openPage(given)).reply).toHaveValue('Too late again');
});
