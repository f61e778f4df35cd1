import { loadavg } from 'node:os';
import type { Browser, Locator, Page } from '@playwright/test';
import { fullSize } from '../../tools/fullSize.ts';
import { medianOf } from '../median.ts';
import { createHandler } from '../product/accounts.ts';
import { makeConversations } from '../product/database.ts';
import { signIn } from '../product/people.ts';
import { expect, test } from '../product/watched.ts';
import { type Frames, formatFrames, perSecond, SHARE_AT_LEAST, sum, Wheel } from './frames.ts';

const MANY = 5_000;
const FEW = 50;
/** A fast flick. */
const PIXELS_PER_SECOND = 8_000;
const FLICKS = fullSize(8, 24);
const ROWS_AT_MOST = 60;

test(`[QUEUE-29] a queue of ${MANY} scrolls as smoothly as one of ${FEW}, and renders few rows`, async ({
  browser,
}) => {
  const few = await openQueue(browser, FEW);
  const many = await openQueue(browser, MANY);
  const [short, long] = [await Wheel.over(few, list(few)), await Wheel.over(many, list(many))];
  const flick = (await short.room()).down;
  const ofFew: Frames[] = [];
  const ofMany: Frames[] = [];
  let mostRows = 0;
  // The two alternate, so that other load on the machine affects both.
  for (let turn = 0; turn < FLICKS; turn++) {
    await few.bringToFront();
    ofFew.push(await short.turn((await short.room()).down > 0 ? flick : -flick, PIXELS_PER_SECOND));
    await many.bringToFront();
    ofMany.push(await long.turn(flick, PIXELS_PER_SECOND));
    mostRows = Math.max(mostRows, await rows(many).count());
  }
  const share = medianOf(ofMany.map((frames, turn) => perSecond(frames) / perSecond(ofFew[turn] ?? frames)));
  console.log(`  ${FEW} conversations: ${formatFrames(sum(ofFew))}`);
  console.log(`  ${MANY} conversations: ${formatFrames(sum(ofMany))}; ${mostRows} rows in the page at most`);
  console.log(
    `  flick by flick ${share.toFixed(2)} of the frames; load of the machine ${loadavg()[0]?.toFixed(1)}`,
  );
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

async function openQueue(browser: Browser, count: number): Promise<Page> {
  const handler = createHandler();
  await makeConversations(handler.alias, conversations(count));
  const page = await (await browser.newContext()).newPage();
  await signIn(page, handler);
  await expect(page.getByRole('heading', { name: `My Queue (${count})` })).toBeVisible();
  await page.addInitScript(noteFirstRow);
  const times: number[] = [];
  for (let load = 0; load < 3; load++) {
    await page.goto('/handler');
    await expect.poll(() => firstRowAt(page)).toBeGreaterThan(0);
    times.push(await firstRowAt(page));
  }
  console.log(`  ${count} conversations: first rows painted after ${medianOf(times).toFixed(0)} ms`);
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

function queue(page: Page): Locator {
  return page.getByRole('region', { name: 'My Queue' });
}

function rows(page: Page): Locator {
  return queue(page).getByRole('listitem');
}

/** The scrolling element. */
function list(page: Page): Locator {
  return queue(page).getByRole('list').locator('..');
}

type Noted = { firstRowAt?: number };

function firstRowAt(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as Noted).firstRowAt ?? 0);
}

/** From the navigation to the frame after the first row was added to the page. */
function noteFirstRow(): void {
  const observer = new MutationObserver(() => {
    if (document.querySelector('[data-row]') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        (globalThis as Noted).firstRowAt = performance.now();
      };
      port2.postMessage(undefined);
    });
  });
  observer.observe(document, { childList: true, subtree: true });
}
