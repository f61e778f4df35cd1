import type { Sender } from '@settee/protocol/model/message';
import { texts } from '@settee/protocol/texts/texts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { messages, noon, pxFromEnd, scrollBy, Thread, threadOf } from '../../../test/aThread.tsx';
import { emulateMedia } from '../../../test/browser.ts';
import { aConversation } from '../../../test/chats.ts';

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
  expect(corners[0]).toEqual(['8px', '20px']);
  const words = screen.getByText('مرحبا بك').element();
  expect(getComputedStyle(words).direction).toBe('rtl');
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

afterEach(() => void vi.restoreAllMocks());

/** Time and Copy of a message. */
function toolsOf(message: Element): Element {
  const tools = message.querySelector('[data-copy]')?.parentElement;
  if (!tools) throw new Error('this message cannot be copied');
  return tools;
}

const opacity = (element: Element) => getComputedStyle(element).opacity;

test('[V-15] hover or keyboard focus shows the time and Copy, which copies', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const log = messages(['visitor', 'first'], ['visitor', 'second']);
  const screen = await render(<Thread state={threadOf(log)} />);
  const [first, second] = screen.getByRole('article').elements();
  if (!first || !second) throw new Error('two messages are expected');
  const tools = toolsOf(first);
  expect(opacity(tools)).toBe('0');
  // The message may still move under the pointer while the font loads.
  await document.fonts.ready;
  await userEvent.hover(first);
  await expect.poll(() => opacity(tools)).toBe('1');
  expect(tools.querySelector('time')?.textContent).toBe('12:00');
  // The list says it for two seconds, which may be over before the test looks.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await screen.getByRole('button', { name: 'Copy: first' }).click();
  await expect.element(screen.getByText('Copied', { exact: true })).toBeInTheDocument();
  expect(write).toHaveBeenLastCalledWith('first');

  // Tab reaches Copy of the newest message; the arrow keys move on from there.
  await userEvent.unhover(first);
  screen.getByRole('log').element().focus();
  await userEvent.keyboard('{Tab}');
  await expect.element(screen.getByRole('button', { name: 'Copy: second' })).toHaveFocus();
  await expect.poll(() => opacity(toolsOf(second))).toBe('1');
  await userEvent.keyboard('{Enter}');
  expect(write).toHaveBeenLastCalledWith('second');
  await userEvent.keyboard('{ArrowUp}{Enter}');
  expect(write).toHaveBeenLastCalledWith('first');
  expect(write).toHaveBeenCalledTimes(3);
});

test('[V-15] a tap shows the time and Copy within the screen, a second tap hides them', async () => {
  await page.viewport(360, 740);
  const log = messages(
    ['visitor', 'a message as long as a line can be before it breaks'],
    ['visitor', 'short'],
  );
  const screen = await render(<Thread state={threadOf(log)} />);
  const [first] = screen.getByRole('article').elements();
  const text = first?.querySelector('p');
  if (!first || !text) throw new Error('a message is expected');
  const tools = toolsOf(first);
  expect(opacity(tools)).toBe('0');
  // A finger presses without hovering.
  text.click();
  await expect.poll(() => opacity(tools)).toBe('1');
  expect(tools.getBoundingClientRect().x).toBeGreaterThanOrEqual(0);
  text.click();
  await expect.poll(() => opacity(tools)).toBe('0');
});

test('[MSG-36] links, emoji, right-to-left text and long words', async () => {
  await page.viewport(360, 740);
  const log = messages(
    ['visitor', 'see https://club.example/a?b=c. <b>not bold</b>'],
    ['visitor', '😮🎉'],
    ['visitor', 'שלום hello'],
    ['visitor', 'x'.repeat(300)],
  );
  const screen = await render(<Thread state={threadOf(log)} />);
  const link = screen.getByRole('link', { name: 'https://club.example/a?b=c', exact: true });
  await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  await expect.element(link).toHaveAttribute('target', '_blank');
  expect(getComputedStyle(link.element()).textDecorationLine).toBe('underline');
  const bubbles = screen
    .getByRole('article')
    .elements()
    .map((one) => one.querySelector('p') as HTMLElement);
  expect(bubbles[0]?.textContent).toBe('see https://club.example/a?b=c. <b>not bold</b>');
  const emoji = getComputedStyle(bubbles[1] as HTMLElement);
  expect([emoji.fontSize, emoji.backgroundColor]).toEqual(['44px', 'rgba(0, 0, 0, 0)']);
  expect(getComputedStyle(bubbles[2]?.querySelector('span') as HTMLElement).direction).toBe('rtl');
  const list = screen.getByRole('log').element();
  expect(list.clientWidth).toBeLessThanOrEqual(360);
  expect(list.scrollWidth).toBe(list.clientWidth);
  expect(document.documentElement.scrollWidth).toBe(360);
});

const tall = (text: string): [Sender, string] => ['visitor', `${text}${'\n.'.repeat(18)}`];
const full = [tall('one'), tall('two'), tall('three'), tall('four')];

test('[V-12] [MSG-30] the list follows the newest message within 100 px of the end, and not otherwise', async () => {
  const onLooked = vi.fn();
  const four = messages(...full);
  const screen = await render(<Thread state={threadOf(four)} onLooked={onLooked} />);
  const log = screen.getByRole('log').element();
  await expect.poll(() => pxFromEnd(log)).toBeLessThan(1);

  await scrollBy(log, -95);
  const five = messages(...full, ['owner', 'followed']);
  await screen.rerender(<Thread state={threadOf(five, { looked: 4 })} onLooked={onLooked} />);
  expect(pxFromEnd(log)).toBeLessThan(1);
  expect(onLooked).toHaveBeenLastCalledWith(5);

  await scrollBy(log, -160);
  const before = log.scrollTop;
  onLooked.mockClear();
  const seven = messages(...full, ['owner', 'followed'], ['owner', 'not followed'], ['owner', 'nor this']);
  await screen.rerender(<Thread state={threadOf(seven, { looked: 5 })} onLooked={onLooked} />);
  const pill = screen.getByRole('button', { name: '2 new messages' });
  await expect.element(pill).toBeVisible();
  expect(log.scrollTop).toBe(before);
  // What is out of sight is not reported as seen.
  expect(Math.max(...onLooked.mock.calls.map(([seq]) => seq))).toBeLessThan(6);
  await pill.click();
  expect(pxFromEnd(log)).toBeLessThan(1);
  await expect.poll(() => onLooked.mock.lastCall).toEqual([7]);
  await screen.rerender(<Thread state={threadOf(seven)} onLooked={onLooked} />);
  await expect.element(pill).not.toBeInTheDocument();
});

test.each(['Enter', 'a click'] as const)(
  '[A11Y-12] %s on the pill moves the focus to the messages, because the pill disappears',
  async (how) => {
    const six = messages(...full, ['owner', 'five'], ['owner', 'six']);
    const screen = await render(<Thread state={threadOf(messages(...full))} />);
    const log = screen.getByRole('log');
    await expect.poll(() => pxFromEnd(log.element())).toBeLessThan(1);
    await scrollBy(log.element(), -400);
    await screen.rerender(<Thread state={threadOf(six, { looked: 4 })} />);
    const pill = screen.getByRole('button', { name: '2 new messages' });
    await expect.element(pill).toBeVisible();
    pill.element().focus();
    if (how === 'Enter') await userEvent.keyboard('{Enter}');
    else await pill.click();
    await expect.element(pill).not.toBeInTheDocument();
    await expect.element(log).toHaveFocus();
    expect(pxFromEnd(log.element())).toBeLessThan(1);
  },
);

test('[V-12] the list stays at its end when a phone is turned, which makes it taller and then narrower', async () => {
  const wide = messages(...full, ['visitor', 'many words '.repeat(60)]);
  const screen = await render(<Thread state={threadOf(wide)} />);
  const log = screen.getByRole('log').element();
  await expect.poll(() => pxFromEnd(log)).toBeLessThan(1);
  const before = log.scrollTop;
  const box = log.parentElement?.parentElement as HTMLElement;
  box.style.height = '600px';
  // The browser moves the list to its new end at once.
  expect(log.scrollTop).toBeLessThan(before);
  box.style.width = '250px';
  expect(pxFromEnd(log)).toBeGreaterThan(100);
  await expect.poll(() => pxFromEnd(log)).toBeLessThan(1);
});

test('[V-12] an own message always shows, also far from the end', async () => {
  const four = messages(...full);
  const screen = await render(<Thread state={threadOf(four)} />);
  const log = screen.getByRole('log').element();
  await expect.poll(() => pxFromEnd(log)).toBeLessThan(1);
  await scrollBy(log, -400);
  const own = { id: 'own', text: 'own words', at: noon, state: 'flying' } as const;
  await screen.rerender(<Thread state={threadOf(four, { pending: [own] })} />);
  await expect.element(screen.getByText('own words')).toBeVisible();
  expect(pxFromEnd(log)).toBeLessThan(1);
});

/** Test browsers never hide a tab. */
function become(state: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
}

test("returning to the tab shows 'New' above the messages that came meanwhile, and only then marks them as seen", async () => {
  const onLooked = vi.fn();
  const one = messages(['owner', 'before']);
  const view = aConversation('c', { visitorSeen: 1 });
  const screen = await render(<Thread state={threadOf(one, { view })} onLooked={onLooked} />);
  const line = screen.getByText('New', { exact: true });
  await expect.element(screen.getByText('before')).toBeVisible();
  become('hidden');
  onLooked.mockClear();
  const two = messages(['owner', 'before'], ['owner', 'meanwhile']);
  await screen.rerender(<Thread state={threadOf(two, { view, looked: 1 })} onLooked={onLooked} />);
  await expect.element(screen.getByText('meanwhile')).toBeVisible();
  await expect.element(line).not.toBeInTheDocument();
  expect(onLooked).not.toHaveBeenCalled();
  become('visible');
  await expect.element(line).toBeVisible();
  expect(
    line.element().compareDocumentPosition(screen.getByText('meanwhile').element()) &
      Node.DOCUMENT_POSITION_FOLLOWING,
  ).toBeTruthy();
  expect(onLooked).toHaveBeenCalledWith(2);
  // The line stays although everything is read now.
  await screen.rerender(<Thread state={threadOf(two, { view, looked: 2 })} onLooked={onLooked} />);
  await expect.element(line).toBeVisible();
});
