import type { Sender } from '@settee/protocol/model/message';
import { texts } from '@settee/protocol/texts/texts';
import { beforeEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { aConversation } from '../../../test/aConversation.ts';
import { messages, noon, pxFromEnd, scrollBy, Thread, threadOf } from '../../../test/aThread.tsx';
import { emulateMedia } from '../../../test/emulate.ts';

const MINUTE = 60_000;

// Midnight must not come between the data and the screen.
beforeEach(() => void vi.setSystemTime(noon + 180 * MINUTE));

test('[A11Y-01] every message is an article named after its sender; a group contains it as text; Copy is named after its message', async () => {
  const log = messages(
    ['owner', 'Hello.'],
    ['owner', 'Welcome.', noon + 1],
    ['visitor', 'Thank you.', noon + MINUTE],
  );
  const screen = await render(<Thread state={threadOf(log)} />);
  const articles = screen.getByRole('article').elements();
  expect(articles.map((one) => one.getAttribute('aria-label'))).toEqual([
    'Mara, 12:00',
    'Mara, 12:00',
    `${texts.you}, 12:01`,
  ]);
  expect(articles.map((one) => /^(Mara|You): /.exec(one.textContent)?.[0])).toEqual([
    'Mara: ',
    undefined,
    'You: ',
  ]);
  for (const text of ['Hello.', 'Welcome.', 'Thank you.']) {
    await expect.element(screen.getByRole('button', { name: `Copy: ${text}` })).toBeInTheDocument();
  }
});

test('right-to-left text keeps the corners on the side of its sender', async () => {
  const log = messages(['visitor', 'مرحبا بك'], ['visitor', 'كيف حالك؟', noon + 1]);
  const screen = await render(<Thread state={threadOf(log)} />);
  const corners = screen
    .getByRole('article')
    .elements()
    .map((one) => one.querySelector('p'))
    .map((bubble) => bubble && getComputedStyle(bubble))
    .map((style) => [style?.borderBottomRightRadius, style?.borderBottomLeftRadius]);
  expect(corners[0]).toEqual(['6px', '20px']);
  const words = screen.getByText('مرحبا بك').element();
  expect(getComputedStyle(words).direction).toBe('rtl');
});

test("the day is above 'New' when both start with the same message", async () => {
  const log = messages(['visitor', 'Hi.', noon - 48 * 60 * MINUTE], ['owner', 'Hello.']);
  const screen = await render(<Thread state={threadOf(log, { looked: 1 })} />);
  const day = screen.getByText(texts.today).element();
  const divider = screen.getByText(texts.newDivider).element();
  expect(day.compareDocumentPosition(divider)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('a scroll event after the content grew does not stop following; scrolling up does', async () => {
  const many = Array.from({ length: 20 }, (_, i): [Sender, string] => ['visitor', `Message ${i}`]);
  const screen = await render(<Thread state={threadOf(messages(...many))} />);
  const log = screen.getByRole('log').element();
  const left = () => pxFromEnd(log);
  await expect.poll(left).toBe(0);
  // A late scroll event: the content has grown and the list has not scrolled yet.
  const grown = document.createElement('div');
  grown.style.cssText = 'flex: none; height: 300px';
  log.firstElementChild?.append(grown);
  expect(left()).toBeGreaterThan(100);
  log.dispatchEvent(new Event('scroll', { bubbles: true }));
  await expect.poll(left).toBe(0);
  grown.remove();
  await expect.poll(left).toBe(0);

  await scrollBy(log, -250);
  await screen.rerender(<Thread state={threadOf(messages(...many, ['owner', 'One more']))} />);
  expect(left()).toBeGreaterThan(250);
});

test('[V-11] three bouncing dots show while the messages load', async () => {
  const screen = await render(<Thread state={threadOf([], { loaded: false })} />);
  const loader = screen.getByRole('status').filter({ hasText: 'Loading messages...' });
  await expect.element(loader).toBeVisible();
  const dots = [...loader.element().querySelectorAll('i')];
  expect(dots).toHaveLength(3);
  // The test browser asks for reduced motion.
  await emulateMedia({ 'prefers-reduced-motion': 'no-preference' });
  for (const dot of dots) expect(getComputedStyle(dot).animationName).toMatch(/bounce/);
  await screen.rerender(<Thread state={threadOf(messages(['owner', 'hello']))} />);
  await expect.element(screen.getByText('hello')).toBeVisible();
  await expect.element(loader).not.toBeInTheDocument();
});

test('below the newest own message the list shows Sending..., Sent, or Seen with the time', async () => {
  const log = messages(['visitor', 'hello'], ['owner', 'yes?']);
  const own = { id: 'm3', text: 'are you there?', at: noon } as const;
  const pending = threadOf(log, { pending: [{ ...own, state: 'flying' }], view: aConversation('c') });
  const screen = await render(<Thread state={pending} />);
  const receipts = () =>
    [...screen.container.querySelectorAll('[data-receipt]')].map((one) => one.textContent);
  await expect.poll(receipts).toEqual(['Sending...']);
  const stored = messages(['visitor', 'hello'], ['owner', 'yes?'], ['visitor', 'are you there?']);
  await screen.rerender(<Thread state={threadOf(stored, { view: aConversation('c') })} />);
  await expect.poll(receipts).toEqual(['Sent']);
  const seen = aConversation('c', { ownerSeen: 3, ownerSeenAt: noon + MINUTE });
  await screen.rerender(<Thread state={threadOf(stored, { view: seen })} />);
  await expect.poll(receipts).toEqual(['Seen 12:01']);
});
