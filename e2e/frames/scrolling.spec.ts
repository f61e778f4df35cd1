import type { Browser, Locator, Page } from '@playwright/test';
import { createHandler, createInvite } from '../product/accounts.ts';
import { makeConversations, type Written, writeHistory } from '../product/database.ts';
import { signIn, startChat } from '../product/people.ts';
import { expect, test } from '../product/watched.ts';
import { compareFlicks, Wheel } from './measure.ts';

/** The short list that each long one is compared with. */
const FEW = 50;
/**
 * The minimum share of a short list's frame rate for a long list. A list that slows down with its length reaches a
 * tenth. A quiet machine reaches 0.95 to 1, a busy one at least 0.8, so the limit is well below both.
 */
const SHARE_AT_LEAST = 0.6;

const newPage = async (browser: Browser): Promise<Page> => (await browser.newContext()).newPage();

test.describe('the visitor’s chat', () => {
  const MANY = 2_000;

  test(`${MANY} messages scroll as smoothly as ${FEW}`, async ({ browser }) => {
    const handler = createHandler();
    const few = await openChat(await newPage(browser), createInvite(handler.alias), FEW);
    const many = await openChat(await newPage(browser), createInvite(handler.alias), MANY);
    const startedAt = Date.now();
    await readBackToStart(many);
    console.log(`  ${MANY} messages read back in ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`);
    const short = await Wheel.over(few);
    const flick = (await short.room()).up;
    const everything = { flicks: Number.POSITIVE_INFINITY, pixels: () => flick };
    const share = await compareFlicks('messages', short, await Wheel.over(many), everything);
    expect(share).toBeGreaterThanOrEqual(SHARE_AT_LEAST);
  });

  async function openChat(page: Page, invite: string, count: number): Promise<Page> {
    await startChat(page, invite, 'Ada');
    await writeHistory(invite, manyMessages(count));
    await page.reload();
    await expect(page.getByText(mark(count))).toBeVisible();
    return page;
  }

  /** Scrolls to the top again and again, until the start of the conversation. */
  async function readBackToStart(page: Page): Promise<void> {
    await page.bringToFront();
    await page.getByRole('log').evaluate(async (log, first) => {
      // Older messages push the list down again, so it must stay at the top for some frames.
      for (let calm = 0; calm < 10; ) {
        calm = log.scrollTop === 0 && log.textContent?.includes(first) ? calm + 1 : 0;
        log.scrollTo(0, 0);
        await new Promise(requestAnimationFrame);
      }
    }, mark(1));
    await expect(page.getByText(mark(1))).toBeInViewport();
  }

  /** Every message begins with its number, so that it can be found whichever messages the list renders. */
  function mark(number: number): string {
    return `No. ${number}.`;
  }

  function manyMessages(count: number): Written[] {
    const now = Date.now();
    return Array.from({ length: count }, (_, index): Written => {
      const number = index + 1;
      return {
        from: number % 5 < 2 ? 'owner' : 'visitor',
        text: `${mark(number)}${' And so the evening went on.'.repeat(number % 7)}`,
        at: new Date(now - (count - index) * 100_000),
      };
    });
  }
});

test.describe('the queue', () => {
  const MANY = 5_000;
  const FLICKS = 24;
  const ROWS_AT_MOST = 60;

  test(`[QUEUE-29] a queue of ${MANY} scrolls as smoothly as one of ${FEW}, and renders few rows`, async ({
    browser,
  }) => {
    const few = await openQueue(await newPage(browser), FEW);
    const many = await openQueue(await newPage(browser), MANY);
    const [short, long] = [await Wheel.over(few, list(few)), await Wheel.over(many, list(many))];
    const flick = (await short.room()).down;
    let mostRows = 0;
    const share = await compareFlicks('conversations', short, long, {
      flicks: FLICKS,
      pixels: () => flick,
      after: async () => {
        mostRows = Math.max(mostRows, await rows(many).count());
      },
    });
    console.log(`  ${mostRows} rows in the page at most`);
    expect(mostRows).toBeLessThan(ROWS_AT_MOST);

    // The end of the list exists too, and a conversation opened far outside the visible rows scrolls into view.
    await list(many).evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
    const last = rows(many).last();
    await expect(last).toContainText(`Visitor ${MANY}`);
    await expect(last).toHaveAttribute('aria-posinset', String(MANY));
    expect(await rows(many).count()).toBeLessThan(ROWS_AT_MOST);
    await last.getByRole('link').click();
    await many.reload();
    await expect(many.locator('a[aria-current=page]')).toBeInViewport();

    expect(share).toBeGreaterThanOrEqual(SHARE_AT_LEAST);
  });

  async function openQueue(page: Page, count: number): Promise<Page> {
    const handler = createHandler();
    await makeConversations(handler.alias, conversations(count));
    await signIn(page, handler);
    await expect(page.getByRole('heading', { name: `My Queue (${count})` })).toBeVisible();
    return page;
  }

  function conversations(count: number) {
    return Array.from({ length: count }, (_, index) => ({
      name: `Visitor ${index + 1}`,
      text: `No. ${index + 1}.${' And so the evening went on.'.repeat(index % 4)}`,
      minutesAgo: index / 2,
      from: index % 3 === 0 ? ('owner' as const) : ('visitor' as const),
      unread: index % 5 === 0 ? 0 : index % 4,
      ...(index % 3 !== 0 && { waitingMinutes: index / 2 }),
    }));
  }

  function rows(page: Page): Locator {
    return page.getByRole('region', { name: 'My Queue' }).getByRole('listitem');
  }

  /** The scrolling element. */
  function list(page: Page): Locator {
    return page.getByRole('region', { name: 'My Queue' }).getByRole('list').locator('..');
  }
});
