import type { Page } from '@playwright/test';
import { createHandler } from './accounts.ts';
import { fillDesk, seenByOwner, visitorWrites, type Written, writeHistory } from './database.ts';
import { bubbles, chatOfTwo, pxFromEnd, send, signIn } from './people.ts';
import { alsoInFirefox, expect, nightly, test } from './watched.ts';

/** Messages from the handler, one per minute, the last one now. */
const handlerMessages = (what: string, count: number): Written[] =>
  Array.from({ length: count }, (_, i) => ({
    from: 'owner',
    text: `${what} ${i + 1}`,
    at: new Date(Date.now() - (count - i) * 60_000),
  }));

test(
  'after an absence the chat opens at the first unread message, below a line that stays',
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
    for (const text of ['news 1', 'old 120'])
      await expect(visitor.getByText(text, { exact: true })).toBeInViewport();
    await expect(visitor.getByText('news 60', { exact: true })).not.toBeInViewport();
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
  },
);

const message = (page: Page, number: number) => page.locator(`[data-seq="${number}"]`);

/** The numbers of the first and last message in the page's window, and their count. */
function held(page: Page): Promise<[first: number, last: number, count: number]> {
  return page.getByRole('log').evaluate((log) => {
    const numbers = [...log.querySelectorAll<HTMLElement>('[data-seq]')].map(({ dataset }) =>
      Number(dataset.seq),
    );
    return [numbers[0] ?? 0, numbers.at(-1) ?? 0, numbers.length];
  });
}

/** Records the positions of the visible messages by number, to detect jumps. */
async function watchForJumps(page: Page): Promise<void> {
  await page.getByRole('log').evaluate((log) => {
    const page = globalThis as unknown as { worstJump: number };
    page.worstJump = 0;
    let before = new Map<string, number>();
    // A page of messages was added or removed, and the list has corrected the positions before the next frame.
    new MutationObserver(() => {
      for (const [seq, top] of places()) {
        const old = before.get(seq);
        if (old !== undefined) page.worstJump = Math.max(page.worstJump, Math.abs(top - old));
      }
    }).observe(log, { childList: true, subtree: true });
    log.addEventListener('scroll', () => {
      before = places();
    });
    before = places();

    function places(): Map<string, number> {
      const { top, bottom } = log.getBoundingClientRect();
      const inSight = [...log.querySelectorAll<HTMLElement>('[data-seq]')].flatMap((element) => {
        const box = element.getBoundingClientRect();
        const seen: [string, number][] =
          box.bottom > top && box.top < bottom ? [[element.dataset.seq ?? '', box.top - top]] : [];
        return seen;
      });
      return new Map(inSight);
    }
  });
}

const worstJump = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { worstJump: number }).worstJump);

/** Scrolls a few screens per frame until this message is loaded. */
async function readTo(page: Page, number: number): Promise<void> {
  await page.getByRole('log').evaluate(async (log, wanted) => {
    const numbers = () =>
      [...log.querySelectorAll<HTMLElement>('[data-seq]')].map(({ dataset }) => Number(dataset.seq));
    const up = (numbers()[0] ?? 0) > wanted;
    const there = () => (up ? (numbers()[0] ?? 0) <= wanted : (numbers().at(-1) ?? 0) >= wanted);
    for (let frames = 0; frames < 2_000 && !there(); frames += 1) {
      log.scrollBy(0, up ? -1_500 : 1_500);
      await new Promise(requestAnimationFrame);
    }
  }, number);
  const [first, last] = await held(page);
  expect(first <= number && number <= last, `${number} is between ${first} and ${last}`).toBe(true);
}

test(
  '[MSG-30] reading back and forth in a thread of 1,000 keeps the position, and the page stays small',
  nightly,
  async ({ page }) => {
    const handler = createHandler();
    const [chat] = await fillDesk(handler.alias, { conversations: 1, messages: 1_000 });
    await signIn(page, handler);
    await page.getByRole('link', { name: /Guest no. 1/ }).click();
    await expect(message(page, 1_000)).toBeInViewport();
    expect(await pxFromEnd(page)).toBeLessThan(1);

    await watchForJumps(page);
    await readTo(page, 550);
    const [, last, count] = await held(page);
    expect(last).toBeLessThan(951);
    expect(count).toBeLessThanOrEqual(350);
    expect(await worstJump(page)).toBeLessThanOrEqual(1);

    // Far from the end, the list does not follow. A new message is counted but not shown.
    await visitorWrites(chat?.id ?? '', 'Are you still there?');
    await expect(page.getByRole('button', { name: '1 new message' })).toBeVisible();
    expect(await seenByOwner(chat?.id ?? '')).toBe(1_000);
    expect((await held(page))[1]).toBe(last);

    // Scrolling down again reaches the messages that arrived live.
    await readTo(page, 1_001);
    expect((await held(page))[2]).toBeLessThanOrEqual(400);
    expect(await worstJump(page)).toBeLessThanOrEqual(1);
    await page.getByRole('log').evaluate((log) => log.scrollBy(0, log.scrollHeight));
    await expect(page.getByRole('log').getByText('Are you still there?')).toBeInViewport();
    await expect.poll(() => seenByOwner(chat?.id ?? '')).toBe(1_001);
  },
);
