import type { ReplyMail } from '@settee/protocol/model/mail';
import { rightsTexts } from '@settee/protocol/texts/rightsTexts';
import { visitorMailTexts } from '@settee/protocol/texts/visitorMailTexts';
import { afterEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { idOf } from '../../test/chats.ts';
import { Refused } from '../../test/fakeGateway.ts';
import { continueCode, inviteToken, renderVisitor } from '../../test/renderVisitor.tsx';
import { indexedDbOutbox } from '../chat/outbox/indexedDbOutbox.ts';
import type { VisitorApi } from './connection.ts';
import { mailedConversation, pathOfChat } from './mailedChat.ts';
import { forgetLeftChats } from './more/forgetChat.ts';
import { RightsDialog } from './more/RightsDialog.tsx';

afterEach(() => {
  vi.useRealTimers();
});

test('the menu shows the code that works; only New code replaces it', async () => {
  const { screen, gateway } = await renderVisitor({ answers: { renewCode: { continueCode: '7305' } } });
  await screen.getByRole('button', { name: 'More' }).click();
  await screen.getByRole('menuitem', { name: 'Continue in another browser or device' }).click();
  await expect.element(screen.getByText(continueCode, { exact: true })).toBeVisible();
  expect(gateway.asked('renewCode')).toEqual([]);
  await screen.getByRole('button', { name: 'New code' }).click();
  await expect.element(screen.getByText('7305', { exact: true })).toBeVisible();
});

const nothing: ReplyMail = { address: null, pending: null, refused: false };

async function openForm(mail: ReplyMail) {
  let now = mail;
  const become = (next: ReplyMail) => {
    now = next;
    return { mail: next };
  };
  const rendered = await renderVisitor({
    conversation: { canMail: true },
    answers: {
      readReplyMail: () => ({ mail: now }),
      saveReplyMail: ({ body }) => become({ ...mail, pending: `v…${body.address.slice(-12)}` }),
      confirmReplyMail: ({ body }) =>
        body.code === '123456'
          ? become({ ...nothing, address: 'v…@example.org' })
          : new Refused('code_invalid', { error: visitorMailTexts.codeWrong }),
      dropReplyMail: {},
    },
  });
  await rendered.screen.getByRole('button', { name: 'More' }).click();
  await rendered.screen.getByRole('menuitem', { name: visitorMailTexts.title }).click();
  return { ...rendered, dialog: rendered.screen.getByRole('dialog') };
}

test('a visitor leaves an address, enters the code, and removes it again', async () => {
  const { dialog, gateway } = await openForm(nothing);
  const address = dialog.getByLabelText(visitorMailTexts.address);
  for (const wrong of ['', 'not an address', 'anna@gmail', 'root@127.0.0.1']) {
    await address.fill(wrong);
    await dialog.getByRole('button', { name: visitorMailTexts.send }).click();
    await expect.element(dialog.getByText(visitorMailTexts.addressInvalid)).toBeVisible();
    await expect.element(address).toHaveFocus();
  }
  expect(gateway.asked('saveReplyMail')).toEqual([]);
  await address.fill(' visitor@example.org ');
  await dialog.getByRole('button', { name: visitorMailTexts.send }).click();
  await expect.element(dialog.getByRole('heading', { name: visitorMailTexts.codeTitle })).toBeVisible();
  expect(gateway.asked('saveReplyMail')).toMatchObject([
    { body: { address: 'visitor@example.org', language: 'en' } },
  ]);

  const code = dialog.getByLabelText(visitorMailTexts.code);
  await code.fill('000000');
  await dialog.getByRole('button', { name: visitorMailTexts.confirm }).click();
  await expect.element(dialog.getByText(visitorMailTexts.codeWrong)).toBeVisible();
  await code.fill('١٢٣٤٥٦');
  await dialog.getByRole('button', { name: visitorMailTexts.confirm }).click();
  await expect
    .element(dialog.getByText('When there is a reply, we write to v…\u2060@example.org.'))
    .toBeVisible();
  await dialog.getByRole('button', { name: visitorMailTexts.remove }).click();
  await expect.element(dialog.getByLabelText(visitorMailTexts.address)).toBeVisible();
  expect(gateway.asked('dropReplyMail')).toHaveLength(1);
});

test('a refused address is named, and another one can be entered', async () => {
  const { dialog } = await openForm({ ...nothing, address: 'v…@example.org', refused: true });
  await expect.element(dialog.getByText(visitorMailTexts.refused)).toBeVisible();
  await dialog.getByRole('button', { name: visitorMailTexts.otherAddress }).click();
  await expect.element(dialog.getByLabelText(visitorMailTexts.address)).toBeVisible();
  await expect.element(dialog.getByText(visitorMailTexts.refused)).not.toBeInTheDocument();
});

test('a refusal that arrives later is shown in the code step; a new code can be sent, and another address starts without a problem', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { dialog, gateway } = await openForm(nothing);
  await dialog.getByLabelText(visitorMailTexts.address).fill('visitor@example.org');
  await dialog.getByRole('button', { name: visitorMailTexts.send }).click();
  const code = dialog.getByLabelText(visitorMailTexts.code);
  await code.fill('12');
  const pending = 'v…@example.org';
  gateway.answer('readReplyMail', { mail: { ...nothing, pending, refused: true } });
  vi.advanceTimersByTime(5_000);
  await expect.element(dialog.getByText(visitorMailTexts.refused)).toBeVisible();
  await expect.element(code).toHaveValue('12');

  gateway.answer('saveReplyMail', () => new Refused('too_many', { error: 'Too many codes.' }));
  await dialog.getByRole('button', { name: visitorMailTexts.sendAgain }).click();
  await expect.element(dialog.getByText('Too many codes.')).toBeVisible();
  gateway.answer('saveReplyMail', { mail: { ...nothing, pending } });
  await dialog.getByRole('button', { name: visitorMailTexts.sendAgain }).click();
  await expect
    .element(dialog.getByRole('status'))
    .toHaveTextContent('We have sent a new code to v…\u2060@example.org.');
  await expect.element(dialog.getByText(visitorMailTexts.refused)).not.toBeInTheDocument();
  await expect.element(code).toHaveValue('');
  await expect.element(code).toHaveFocus();
  expect(gateway.asked('saveReplyMail').map(({ body }) => body.address)).toEqual(
    Array(3).fill('visitor@example.org'),
  );

  await code.fill('000000');
  await dialog.getByRole('button', { name: visitorMailTexts.confirm }).click();
  await expect.element(dialog.getByText(visitorMailTexts.codeWrong)).toBeVisible();
  await dialog.getByRole('button', { name: visitorMailTexts.otherAddress }).click();
  await expect.element(dialog.getByLabelText(visitorMailTexts.address)).toBeVisible();
  await expect.element(dialog.getByText(visitorMailTexts.codeWrong)).not.toBeInTheDocument();
});

test('without permission there is no entry; outside the opening hours the form is offered below the note', async () => {
  const { screen } = await renderVisitor();
  await screen.getByRole('button', { name: 'More' }).click();
  await expect.element(screen.getByRole('menuitem', { name: 'Change name' })).toBeVisible();
  await expect
    .element(screen.getByRole('menuitem', { name: visitorMailTexts.title }))
    .not.toBeInTheDocument();
  await screen.unmount();

  const away = await renderVisitor({
    conversation: { canMail: true, away: { message: 'Closed now.', until: null } },
    answers: { readReplyMail: { mail: nothing } },
  });
  await away.screen.getByRole('button', { name: visitorMailTexts.title }).click();
  await expect.element(away.screen.getByRole('dialog', { name: visitorMailTexts.title })).toBeVisible();
});

afterEach(() => localStorage.clear());

test('[MAIL-04] a mail leads to the chat of its conversation, in a browser that has it', async () => {
  const id = idOf('mailed');
  localStorage.setItem('seat_other', idOf('another'));
  localStorage.setItem('seat_a0token', id);
  expect(mailedConversation(`#${id}`)).toBe(id);
  expect(pathOfChat(id)).toBe('/i/a0token');
  expect(pathOfChat(idOf('unknown'))).toBeUndefined();
  for (const other of ['', '#', '#settings', `#${id}x`]) expect(mailedConversation(other)).toBeUndefined();
});

test('[MAIL-04] another browser is told where the chat is', async () => {
  const { screen } = await renderVisitor({ path: `/chat#${idOf('elsewhere')}`, atOnce: true });
  await expect.element(screen.getByRole('heading', { name: visitorMailTexts.elsewhereTitle })).toBeVisible();
});

test('[PRIVACY-06] a device without access does not learn that anything was deleted, and may try again', async () => {
  const asked: unknown[] = [];
  const erased: unknown[] = [];
  let code: string | undefined = 'not_found';
  const api = (async (name: string, given: unknown) => {
    asked.push([name, given]);
    return code === undefined ? { ok: true } : { ok: false, code };
  }) as unknown as VisitorApi;
  const screen = await render(
    <RightsDialog
      what="erase"
      conversationId="c"
      profileName="Mara"
      api={api}
      joinedAt={null}
      onErased={(words) => erased.push(words)}
      onClose={() => {}}
    />,
  );
  const erase = screen.getByRole('button', { name: 'Delete conversation' });
  await erase.click();
  await expect.element(screen.getByText(rightsTexts.eraseNotHere)).toBeVisible();
  code = 'access_denied';
  await erase.click();
  await expect.element(screen.getByText(rightsTexts.eraseRefused)).toBeVisible();
  code = 'internal';
  await erase.click();
  await expect.element(screen.getByText(rightsTexts.eraseFailed)).toBeVisible();
  expect(erased).toEqual([]);
  code = undefined;
  await erase.click();
  await expect.poll(() => erased).toMatchObject([{ title: 'Conversation deleted' }]);
  expect(asked).toHaveLength(4);
  expect(asked[0]).toEqual(['eraseOwn', { params: { id: 'c' } }]);
});

vi.mock('./more/forgetChat.ts', { spy: true });

afterEach(() => void vi.mocked(forgetLeftChats).mockReset());

const stored = () => Object.entries(localStorage).map((entry) => entry.join(' '));
const unsent = async () => (await indexedDbOutbox('visitor').list(idOf('Ida'))).map(({ text }) => text);

/** A chat with a draft and an unsent message, deleted by its visitor. */
async function deleteChat() {
  const { screen, gateway } = await renderVisitor({ name: 'Ida', answers: { eraseOwn: {} } });
  gateway.onFrame.send = () => [];
  const composer = screen.getByPlaceholder('Message...');
  await composer.fill('never sent');
  await screen.getByRole('button', { name: 'Send' }).click();
  await expect.poll(unsent).toEqual(['never sent']);
  await composer.fill('an unfinished draft');
  await expect.poll(stored).toContainEqual(expect.stringContaining('an unfinished draft'));
  await screen.getByRole('button', { name: 'More' }).click();
  await screen.getByRole('menuitem', { name: 'Delete conversation' }).click();
  await screen.getByRole('dialog').getByRole('button', { name: 'Delete conversation' }).click();
  await expect.element(screen.getByRole('heading', { name: 'Conversation deleted' })).toBeVisible();
  return screen;
}

test('[PRIVACY-06] a deleted conversation leaves nothing in the browser', async () => {
  await deleteChat();
  await expect.poll(stored).toEqual([]);
  expect(await unsent()).toEqual([]);
});

test('[PRIVACY-06] a page that closes before it has removed a deleted conversation does so at the next start', async () => {
  // It loads the script of the deletion, and then it closes.
  vi.mocked(forgetLeftChats).mockReturnValue(new Promise(() => {}));
  const screen = await deleteChat();
  await expect.poll(() => forgetLeftChats).toHaveBeenCalled();
  await screen.unmount();
  // The chat cannot be opened again, also without a network.
  expect(localStorage.getItem(`seat_${inviteToken}`)).toBeNull();
  expect(stored()).toContainEqual(expect.stringContaining('an unfinished draft'));

  vi.mocked(forgetLeftChats).mockReset();
  const other = await renderVisitor({ path: '/i/another', attached: false });
  await expect.element(other.screen.getByRole('button', { name: 'Start chat' })).toBeVisible();
  await expect.poll(stored).toEqual([]);
  expect(await unsent()).toEqual([]);
});
