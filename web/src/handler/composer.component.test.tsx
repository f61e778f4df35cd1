import { CLOSE_FINAL } from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import type { RenderResult } from 'vitest-browser-react';
import { aChat, ana } from '../../test/aDesk.ts';
import { aPhoto, carrying, emulateTouch, storageElsewhere, touchSize } from '../../test/browser.ts';
import { addMessage } from '../../test/chats.ts';
import type { Answers } from '../../test/fakeGateway.ts';
import { aPicture } from '../../test/fakeUploads.ts';
import { addressOf, renderConsole } from '../../test/renderConsole.tsx';
import { watchPerson } from '../staff/session.ts';

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
  // Another window shares it.
  const [[key, value] = ['', '']] = Object.entries(localStorage).filter(([, each]) =>
    String(each).includes('About Jonas'),
  );
  storageElsewhere().setItem(key, String(value).replace('About Jonas', 'About Jonas Weber'));
  await expect.element(note).toHaveValue('About Jonas Weber');

  // A note on a slow connection stays in the field when the handler comes back, until it is stored.
  const release = gateway.hold('addNote');
  await note.click();
  await userEvent.keyboard('{Enter}');
  await expect.element(note).toHaveValue('');
  await open('Léa Moreau');
  await open('Jonas Weber');
  await tab('Note').click();
  await expect.element(note).toHaveValue('About Jonas Weber');
  release();
  await expect.element(reloaded.getByRole('log').getByRole('note')).toBeVisible();
  await expect.element(note).toHaveValue('');
});

test('the composer starts where the bubbles start, and its foot stays between reply and note', async () => {
  await page.viewport(1_280, 800);
  const chats = [aChat('Jonas Weber', ['Hello?'])];
  const { screen } = await renderConsole({ path: addressOf('Jonas Weber'), chats });
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
  const chats = [aChat('Jonas Weber')];
  const { screen } = await renderConsole({ path: addressOf('Jonas Weber'), chats });
  const { reply, note, tab } = writing(screen);
  const form = () => screen.getByRole('main').element().querySelector('form');
  await expect.poll(() => form()?.clientHeight).toBeLessThan(64);
  expect(reply.element().clientWidth).toBeGreaterThanOrEqual(220);
  // A placeholder of any length ends before the switch.
  const [field, start] = [reply, tab('Note')].map((each) => each.element().getBoundingClientRect());
  const words = (field?.right ?? 0) - Number.parseFloat(getComputedStyle(reply.element()).paddingRight);
  expect(words).toBeLessThanOrEqual(start?.left ?? 0);
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

test('between two replies, what is typed after the session ended reaches no field', async () => {
  const { screen, gateway, reply } = await openPage(aPage());
  await reply.click();
  gateway.close(CLOSE_FINAL, 'signed_out');
  const password = screen.getByLabelText('Password');
  await expect
    .element(password)
    .toHaveAccessibleDescription('User not authenticated Your session has ended. Sign in again.');
  await userEvent.keyboard('And{Enter}');
  await expect.element(password).toHaveValue('');
  await expect.element(screen.getByLabelText('Email address')).toHaveValue('');
  expect(gateway.asked('signInStaff')).toEqual([]);
});

test('[MSG-19] [CONSOLE-49] a session that ends in mid-sentence leaves the chat on the screen, and no key reaches the sign-in form', async () => {
  const given = aPage();
  const { screen, gateway, reply, session } = await openPage(given);
  watchPerson(session);
  await reply.fill('Half a sen');
  gateway.close(CLOSE_FINAL, 'signed_out');
  const dialog = screen.getByRole('dialog', { name: 'You were signed out.' });
  await expect.element(dialog.getByText('Your draft is kept.')).toBeVisible();
  await userEvent.keyboard('tence{Enter} {Escape}');
  await expect.element(dialog).toBeVisible();
  await expect.element(screen.getByText('May I read it to them?').last()).toBeVisible();
  expect(document.querySelector('[type=password]')).toBeNull();

  await dialog.getByRole('button', { name: 'Sign in again' }).click();
  await screen.getByLabelText('Email address').fill('ana@settee.example');
  await screen.getByLabelText('Password').fill('a long password');
  await userEvent.keyboard('{Enter}');
  await expect.element(reply).toHaveValue('Half a sen');

  // Other text is not kept. Signing out in another window leaves nothing on this screen.
  await userEvent.keyboard('{Control>}k{/Control}');
  await screen.getByRole('combobox').fill('harbour');
  gateway.close(CLOSE_FINAL, 'signed_out');
  await expect.element(dialog).toBeVisible();
  await expect.element(dialog.getByText('Your draft is kept.')).not.toBeInTheDocument();
  const other = document.body.appendChild(document.createElement('iframe'));
  onTestFinished(() => other.remove());
  other.contentWindow?.localStorage.setItem('leaving', ana.staffId);
  await expect.element(screen.getByLabelText('Password')).toBeVisible();
  expect(document.body.textContent).not.toContain('May I read it to them?');
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

test('[CONSOLE-16] [MSG-19] a returned reply keeps its bubble, leaves a handler in their note, and waits in a chat that they left', async () => {
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
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  await reply.fill('Too late');
  // Nobody reads a colleague's reply so fast.
  vi.setSystemTime(Date.now() + 100);
  gateway.push({ type: 'message', message: addMessage(given.jonas, { sender: 'owner', text: 'You may' }) });
  await expect.element(screen.getByRole('log').getByText('You may')).toBeVisible();
  await userEvent.keyboard('{Enter}');
  const lastSent = () => sent.map(({ text, after }) => ({ text, after })).at(-1);
  await expect.poll(lastSent).toEqual({ text: 'Too late', after: 1 });
  await screen.getByRole('tab', { name: 'Note' }).click();
  refuse();
  await expect.element(screen.getByRole('alert').getByText('A colleague answered first.')).toBeVisible();
  // What they type next is not for the visitor.
  await expect
    .element(screen.getByRole('textbox', { name: 'Write a note that only staff see...' }))
    .toHaveFocus();
  const returned = screen.getByRole('log').getByText('Too late');
  await expect.element(returned).toBeVisible();
  await screen.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect.element(reply).toHaveFocus();
  await expect.element(reply).toHaveValue('Too late');
  await expect.element(returned).not.toBeInTheDocument();

  await reply.fill('Too late again');
  await userEvent.keyboard('{Enter}');
  await expect.poll(lastSent).toEqual({ text: 'Too late again', after: 2 });
  await screen.getByRole('button', { name: 'Back to Queue' }).click();
  await expect.element(reply).not.toBeInTheDocument();
  refuse();
  await expect
    .element(screen.getByRole('link', { name: /Jonas Weber/ }).getByText(/Too late again/))
    .toBeVisible();
  await screen.unmount();
  const later = await openPage(given);
  await expect.element(later.screen.getByRole('log').getByText('Too late again')).toBeVisible();
  await expect.element(later.reply).toHaveValue('');
  const anyway = later.screen.getByRole('button', { name: 'Send anyway' });
  (anyway.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  // The button is gone, and the focus stays in the messages.
  await expect.element(later.screen.getByRole('log')).toHaveFocus();
  const [{ id } = { id: '' }] = later.gateway.received('send');
  expect(later.gateway.received('send')).toMatchObject([{ text: 'Too late again', id: sent.at(-1)?.id }]);
  expect(id).not.toBe(sent[0]?.id);
  await expect.element(anyway).not.toBeInTheDocument();
});
