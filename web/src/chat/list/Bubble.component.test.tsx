import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { messages, Thread, threadOf } from '../../../test/aThread.tsx';

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
