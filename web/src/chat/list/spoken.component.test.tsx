import { texts } from '@settee/protocol/texts/texts';
import { expect, test } from 'vitest';
import { page, utils } from 'vitest/browser';
import { aChat } from '../../../test/aDesk.ts';
import { emulateMedia } from '../../../test/emulate.ts';
import type { Line } from '../../../test/fakeChats.ts';
import { idOf } from '../../../test/idOf.ts';
import { renderConsole } from '../../../test/renderConsole.tsx';
import { renderVisitor } from '../../../test/renderVisitor.tsx';

const image: Line = {
  sender: 'owner',
  text: '',
  mediaUrl: `/conversations/${idOf('Léa Moreau')}/media/${idOf('image')}`,
  mediaType: 'image/png',
  fileName: 'letter.png',
  size: 100,
  width: 40,
  height: 30,
  thumbhash: '',
};
const lines: Line[] = ['Is this really you?', { sender: 'owner', text: 'It is.' }, 'Thank you.'];

/** The states of the visitor's page and of the console that show messages. */
const states: Record<string, () => Promise<unknown>> = {
  chat: () => renderVisitor({ messages: lines }),
  'new messages': () => renderVisitor({ messages: lines, conversation: { visitorSeen: 1 } }),
  async 'a message that was not sent'() {
    const { screen, gateway } = await renderVisitor({ messages: lines });
    gateway.onFrame.send = ({ conversationId, id }) => [
      { type: 'refused', code: 'bad_request', conversationId, id },
    ];
    await screen.getByPlaceholder(texts.visitorPlaceholder).fill('This does not arrive.');
    await screen.getByRole('button', { name: texts.send, exact: true }).click();
    await expect.element(screen.getByText(texts.notSent)).toBeVisible();
  },
  images: () =>
    renderVisitor({
      messages: [...lines, image],
      answers: { readMedia: { url: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=', expiresAt: Date.now() } },
    }),
  'a closed chat': () =>
    renderVisitor({ messages: lines, conversation: { status: 'closed', canSend: false } }),
  console: () =>
    renderConsole({
      path: `/handler/conversation/${idOf('Jonas Weber')}`,
      chats: [aChat('Jonas Weber', lines)],
    }),
};

for (const [name, reach] of Object.entries(states)) {
  test(`[A11Y-01] in the accessibility tree of ${name} every message has its sender and time`, async () => {
    await reach();
    const log = page.getByRole('log');
    await expect.element(log.getByText('It is.')).toBeVisible();
    const articles = utils.aria
      .renderAriaTree(utils.aria.generateAriaTree(log.element()))
      .match(/- article .*/g);
    expect(articles).toHaveLength(log.element().querySelectorAll('[data-key]').length);
    for (const article of articles ?? []) expect(article).toMatch(/^- article "[^"]+, \d\d:\d\d"/);
  });
}

test('in forced-colours mode selected, focused and own elements differ from others', async () => {
  await emulateMedia({ 'forced-colors': 'active' });
  const { screen } = await renderVisitor({ messages: lines });
  const border = (side: string) => {
    const bubble = document.querySelector(`[role=log] [data-side=${side}] p`);
    return bubble && getComputedStyle(bubble).borderColor;
  };
  await expect.element(screen.getByText('It is.')).toBeVisible();
  expect(border('in')).not.toBe(border('out'));

  const composer = screen.getByPlaceholder(texts.visitorPlaceholder);
  document.body.style.caretColor = 'transparent';
  (document.activeElement as HTMLElement).blur();
  const idle = await composer.screenshot({ save: false });
  expect(await composer.screenshot({ save: false })).toBe(idle);
  composer.element().focus();
  expect(await composer.screenshot({ save: false })).not.toBe(idle);

  await screen.getByRole('button', { name: texts.more }).click();
  const dark = screen.getByRole('menuitemradio', { name: texts.themeDark });
  const light = screen.getByRole('menuitemradio', { name: texts.themeLight });
  await light.click();
  const other = await dark.screenshot({ save: false });
  await dark.click();
  light.element().focus();
  expect(await dark.screenshot({ save: false })).not.toBe(other);
});
