import { texts } from '@settee/protocol/texts/texts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, utils } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { aChat } from '../../../test/aDesk.ts';
import { messages } from '../../../test/aThread.tsx';
import { idOf, type Line } from '../../../test/chats.ts';
import { renderConsole } from '../../../test/renderConsole.tsx';
import { renderVisitor } from '../../../test/renderVisitor.tsx';
import { Announcer } from './Announcer.tsx';

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

beforeEach(() => void vi.useFakeTimers());

afterEach(() => void vi.useRealTimers());

/** Every element that is added to a live region, as a screen reader announces it. */
function recorder(region: Element): string[] {
  const received: string[] = [];
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (node.textContent) received.push(node.textContent);
    }
  }).observe(region, { childList: true, subtree: true, characterData: true });
  return received;
}

function region(): Element {
  const found = document.querySelector('[aria-live="polite"]');
  if (!found) throw new Error('there is no live region');
  return found;
}

test('[A11Y-01] every incoming message is announced once, also two equal ones, and never the history', async () => {
  const log = messages(['owner', 'Welcome.'], ['owner', 'Yes.'], ['owner', 'Yes.']);
  const first = (count: number) => <Announcer incoming={log.slice(0, count)} name="Mara" own={undefined} />;
  const screen = await render(first(1));
  const received = recorder(region());
  await screen.rerender(first(2));
  await vi.advanceTimersByTimeAsync(1_000);
  await expect.poll(() => received).toEqual(['Mara: Yes.']);
  await screen.rerender(first(3));
  await vi.advanceTimersByTimeAsync(1_000);
  await expect.poll(() => received).toEqual(['Mara: Yes.', 'Mara: Yes.']);
});

test('[A11Y-01] the state of an own message is announced politely: merged within a second, nothing at the start', async () => {
  const own = (key: string, state: 'sending' | 'sent' | 'seen' | 'failed') => (
    <Announcer incoming={[]} name="Mara" own={{ key, state }} />
  );
  const screen = await render(own('a', 'seen'));
  const received = recorder(region());
  await vi.advanceTimersByTimeAsync(2_000);
  expect(received).toEqual([]);
  await screen.rerender(own('b', 'sending'));
  await screen.rerender(own('b', 'sent'));
  await vi.advanceTimersByTimeAsync(1_000);
  await expect.poll(() => received).toEqual([texts.announceSent]);
  await screen.rerender(own('b', 'seen'));
  await vi.advanceTimersByTimeAsync(1_000);
  await screen.rerender(own('c', 'failed'));
  await vi.advanceTimersByTimeAsync(1_000);
  await expect.poll(() => received).toEqual([texts.announceSent, texts.announceSeen, texts.announceFailed]);
});
