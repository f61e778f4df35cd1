import { loadavg } from 'node:os';
import type { Page } from '@playwright/test';
import { fullSize } from '../../tools/fullSize.ts';
import { medianOf } from '../median.ts';
import { createHandler, createInvite } from '../product/accounts.ts';
import { type Written, writeHistory } from '../product/database.ts';
import { startChat } from '../product/people.ts';
import { expect, test } from '../product/watched.ts';
import { type Frames, formatFrames, perSecond, SHARE_AT_LEAST, sum, Wheel } from './frames.ts';

const MANY = 2_000;
const FEW = 50;
/** A fast flick. */
const PIXELS_PER_SECOND = 8_000;
/** The nightly run scrolls through everything. */
const FLICKS = fullSize(10, Number.POSITIVE_INFINITY);

const handler = createHandler();

test(`${MANY} messages scroll as smoothly as ${FEW}`, async ({ browser }) => {
  const few = await openConversation(await (await browser.newContext()).newPage(), FEW);
  const many = await openConversation(await (await browser.newContext()).newPage(), MANY);
  const startedAt = Date.now();
  await readBackToStart(many);
  console.log(`  ${MANY} messages read back in ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`);

  const short = await Wheel.over(few);
  const long = await Wheel.over(many);
  const flick = (await short.room()).up;
  const ofFew: Frames[] = [];
  const ofMany: Frames[] = [];
  // The two alternate, so that other load on the machine affects both.
  for (let turn = 0; turn < FLICKS && (await long.room()).down > 0; turn += 1) {
    await few.bringToFront();
    const up = (await short.room()).up > 0;
    ofFew.push(await short.turn(up ? -flick : flick, PIXELS_PER_SECOND));
    await many.bringToFront();
    ofMany.push(await long.turn(flick, PIXELS_PER_SECOND));
  }
  // Compares each flick with its neighbour and takes the median: a burst of other load affects a few flicks, a slow
  // list affects all of them.
  const share = medianOf(ofMany.map((frames, turn) => perSecond(frames) / perSecond(ofFew[turn] ?? frames)));
  console.log(`  ${FEW} messages: ${formatFrames(sum(ofFew))}`);
  console.log(`  ${MANY} messages: ${formatFrames(sum(ofMany))}`);
  console.log(
    `  flick by flick ${share.toFixed(2)} of the frames; load of the machine ${loadavg()[0]?.toFixed(1)}`,
  );
  expect(share).toBeGreaterThanOrEqual(SHARE_AT_LEAST);
});

async function openConversation(page: Page, count: number): Promise<Page> {
  const invite = createInvite(handler.alias);
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
