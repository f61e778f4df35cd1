import type { Sender } from '@settee/protocol/model/message';
import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { messages, noon, pxFromEnd, scrollBy, Thread, threadOf } from '../../../test/aThread.tsx';

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
  expect(pill.element().getBoundingClientRect().height).toBe(44);
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
