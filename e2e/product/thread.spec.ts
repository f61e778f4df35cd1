import type { Page } from '@playwright/test';
import { type Written, writeHistory } from './database.ts';
import { bubbles, chatOfTwo, send } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

/** Messages from the handler, one per minute, the last one now. */
const handlerMessages = (what: string, count: number): Written[] =>
  Array.from({ length: count }, (_, i) => ({
    from: 'owner',
    text: `${what} ${i + 1}`,
    at: new Date(Date.now() - (count - i) * 60_000),
  }));

/** Scrolls to a place, waits for the next older page, and measures how far the first visible message has moved. */
function moveByOlderPage(page: Page, from: number): Promise<{ by: number; more: number }> {
  return page.getByRole('log').evaluate(async (element, start) => {
    const frame = () => new Promise(requestAnimationFrame);
    const all = () => [...element.querySelectorAll<HTMLElement>('[data-side]')];
    const count = all().length;
    element.scrollTo(0, start);
    await frame();
    const held = all().find(({ offsetTop }) => offsetTop > element.scrollTop);
    const top = () => held?.getBoundingClientRect().top ?? Number.NaN;
    const before = top();
    while (all().length === count) await frame();
    await frame();
    return { by: top() - before, more: all().length - count };
  }, from);
}

test(
  'after an absence the chat opens at the first unread message, below a line that stays; older pages do not move what is being read',
  alsoInFirefox,
  async ({ browser }) => {
    const { visitor, desk, invite } = await chatOfTwo(browser, 'Noor');
    await visitor.goto('about:blank');
    // The unread messages fill more than one page of history.
    await writeHistory(invite, [...handlerMessages('old', 120), ...handlerMessages('news', 60)], {
      visitor: 60,
    });
    await visitor.goto(invite);
    const line = visitor.getByText('New', { exact: true });
    await expect(line).toBeInViewport();
    await expect(visitor.getByText('news 1', { exact: true })).toBeInViewport();
    await expect(visitor.getByText('old 120', { exact: true })).toBeInViewport();
    await expect(visitor.getByText('news 60', { exact: true })).not.toBeInViewport();
    await expect(visitor.getByRole('button', { name: /new messages$/ })).toBeVisible();
    // Before the next sweep, a reply would be outdated.
    await desk.reload();
    await expect(bubbles(desk).getByText('news 60', { exact: true })).toBeVisible();
    await send(desk, 'one more');
    await expect(bubbles(visitor).getByText('one more')).toBeAttached();
    await expect(line).toBeInViewport();
    await visitor.getByRole('button', { name: /new messages$/ }).click();
    await expect(bubbles(visitor).getByText('one more')).toBeInViewport();
    await expect(line).toHaveCount(1);
    await expect(desk.getByText(/^Seen/)).toBeVisible();
    await visitor.reload();
    await expect(bubbles(visitor).getByText('one more')).toBeInViewport();
    await expect(line).toHaveCount(0);

    for (const from of [600, 0]) {
      const moved = await moveByOlderPage(visitor, from);
      expect(moved.more, `${from} px below the top`).toBe(50);
      expect(Math.abs(moved.by), `${from} px below the top`).toBeLessThanOrEqual(1);
    }
  },
);
