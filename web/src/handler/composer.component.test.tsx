import { CLOSE_FINAL } from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import type { RenderResult } from 'vitest-browser-react';
import { aChat, ana } from '../../test/aDesk.ts';
import { aPhoto, carrying, emulateTouch, holdDisk, touchSize } from '../../test/browser.ts';
import { addMessage } from '../../test/chats.ts';
import type { Answers } from '../../test/fakeGateway.ts';
import { aPicture } from '../../test/fakeUploads.ts';
import { renderConsole } from '../../test/renderConsole.tsx';
import { indexedDbOutbox } from '../chat/outbox/indexedDbOutbox.ts';
import { staffStorageKey } from '../chat/outbox/staffOutbox.ts';

/** An image as the server gives it. */
const drawn = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="2" height="1"/>')}`;

/** The file dialog of the browser, which a test cannot use. */
function fileDialog() {
  const click = vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(() => {});
  onTestFinished(() => click.mockRestore());
  return async (file: File) => {
    await expect.poll(() => click.mock.contexts.length).toBe(1);
    const input = click.mock.contexts[0] as HTMLInputElement;
    input.files = carrying([file]).files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  };
}

test('by keyboard alone: an image from the palette, out of a note, sent with Enter', async () => {
  const jonas = aChat('Jonas Weber');
  const { screen, gateway } = await renderConsole({
    path: `/handler/conversation/${jonas.conversation.id}`,
    chats: [jonas],
    answers: {
      beginUpload: { uploadUrl: null, expiresAt: 0 },
      finishUpload: ({ params }) => ({ state: 'ready', media: aPicture(params.mediaId ?? '') }),
      readMedia: { url: drawn, expiresAt: 0 },
    },
  });
  gateway.onFrame.sendMedia = ({ conversationId, id, mediaId }) => {
    const { seq, createdAt } = addMessage(jonas, { id, sender: 'owner', text: '', ...aPicture(mediaId) });
    return [{ type: 'ack', conversationId, id, seq, createdAt }];
  };
  const reply = screen.getByRole('textbox', { name: 'Type your message...' });
  const note = screen.getByRole('textbox', { name: 'Write a note that only staff see...' });
  await reply.click();
  await userEvent.keyboard('{Control>}i{/Control}');
  await expect.element(note).toHaveFocus();
  await userEvent.keyboard('About the harbour');
  const choose = fileDialog();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(screen.getByRole('combobox')).toHaveFocus();
  await userEvent.keyboard('image');
  await expect
    .element(screen.getByRole('option', { name: /^Send an image/ }))
    .toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{Enter}');
  await expect.element(reply).toHaveFocus();
  await choose(await aPhoto('harbour.jpg'));
  const remove = screen.getByRole('button', { name: 'Remove harbour.jpg' });
  await expect.element(remove).toBeVisible();
  await expect.element(reply).toHaveFocus();
  await userEvent.tab({ shift: true });
  await expect.element(remove).toHaveFocus();
  await userEvent.tab();
  await expect.element(reply).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  const image = screen.getByRole('log').getByRole('button', { name: /^Your image/ });
  await expect.element(image).toBeVisible();
  await expect.poll(() => gateway.received('sendMedia').length).toBe(1);
  await screen.getByRole('tab', { name: 'Note' }).click();
  await expect.element(note).toHaveValue('About the harbour');
});

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

test('the composer starts where the bubbles start, and its foot stays between reply and note', async () => {
  await page.viewport(1_280, 800);
  const jonas = aChat('Jonas Weber', ['Hello?']);
  const { screen } = await renderConsole({
    path: `/handler/conversation/${jonas.conversation.id}`,
    chats: [jonas],
  });
  const { reply, note, tab } = writing(screen);
  const boxOf = (element: Locator) => element.element().getBoundingClientRect();
  await expect.element(reply).toHaveFocus();
  const message = screen.getByRole('log').getByText('Hello?');
  await expect.element(message).toBeVisible();
  const bubble = message.element().closest('p');
  expect(boxOf(reply).left).toBe(bubble?.getBoundingClientRect().left);

  const foot = [...['Reply', 'Note'].map(tab), screen.getByRole('button', { name: 'Send an image' })];
  const before = foot.map((each) => boxOf(each).toJSON() as DOMRect);
  const end = boxOf(screen.getByRole('button', { name: 'Send', exact: true }));
  await tab('Note').click();
  await expect.element(note).toHaveFocus();
  expect(foot.map((each) => boxOf(each).toJSON() as DOMRect)).toEqual(before);
  const add = boxOf(screen.getByRole('button', { name: 'Add note' }));
  expect([add.right, add.top]).toEqual([end.right, end.top]);
  await expect.element(screen.getByRole('button', { name: 'Send an image' })).toBeDisabled();
});

test('on a phone the idle composer is one line with room to write, and one button has its tools', async () => {
  await page.viewport(360, 740);
  await emulateTouch();
  const jonas = aChat('Jonas Weber');
  const { screen } = await renderConsole({
    path: `/handler/conversation/${jonas.conversation.id}`,
    chats: [jonas],
  });
  const { reply, note, tab } = writing(screen);
  const form = () => screen.getByRole('main').element().querySelector('form');
  await expect.poll(() => form()?.clientHeight).toBeLessThan(64);
  expect(reply.element().clientWidth).toBeGreaterThanOrEqual(220);
  const plus = page
    .elementLocator(form() ?? document.body)
    .getByRole('button', { name: 'Insert', exact: true });
  for (const control of [plus, tab('Note'), screen.getByRole('button', { name: 'Send', exact: true })]) {
    const { width, height } = touchSize(control.element());
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  }
  await plus.click();
  await expect.element(screen.getByRole('menuitem', { name: 'Send an image' })).toBeVisible();
  await screen.getByRole('menuitem', { name: 'Insert a saved reply' }).click();
  await expect.element(reply).toHaveValue('/');
  await userEvent.keyboard('{Escape}');
  await tab('Note').click();
  await expect.element(note).toHaveFocus();
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
