import { loadavg } from 'node:os';
import type { Page } from '@playwright/test';
import { fullSize } from '../../tools/fullSize.ts';
import { medianOf, quickQuarterOf } from '../median.ts';
import { createHandler } from '../product/accounts.ts';
import { fillDesk, type MadeChat } from '../product/database.ts';
import { signIn } from '../product/people.ts';
import { expect, test } from '../product/watched.ts';
import { switchTimes, timeSwitches } from './console.ts';
import { type Frames, formatFrames, perSecond, SHARE_AT_LEAST, sum, Wheel } from './frames.ts';

const MANY = 100_000;
const FEW = 50;
const READ_BACK = fullSize(1_000, 3_000);
const OPENINGS = 9;
const TIMES_AS_LONG_AT_MOST = 1.5;
/** A page of messages is rendered in one frame, which can delay a fast flick. */
const SHARE_WITH_PAGES_AT_LEAST = 0.5;
const BUBBLES_AT_MOST = 400;
const FLICKS = fullSize(6, 12);
const PIXELS_PER_SECOND = 8_000;

test(`a thread of ${MANY} messages opens and scrolls like one of ${FEW}`, async ({ browser }) => {
  const handler = createHandler();
  const [short] = await fillDesk(handler.alias, { conversations: 1, messages: FEW });
  const startedAt = Date.now();
  const [long] = await fillDesk(handler.alias, { conversations: 1, messages: MANY });
  if (!short || !long) throw new Error('there are no chats');
  console.log(`  ${MANY} messages written in ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`);

  const few = await (await browser.newContext()).newPage();
  const many = await (await browser.newContext()).newPage();
  for (const page of [few, many]) await signIn(page, handler);

  // Opened cold, in turns: reloads the page each time and opens the chat from the queue.
  const ofFew: number[] = [];
  const ofMany: number[] = [];
  for (let i = 0; i < OPENINGS; i += 1) {
    ofFew.push(await open(few, short));
    ofMany.push(await open(many, long));
  }
  const slower = quickQuarterOf(ofMany) / quickQuarterOf(ofFew);
  console.log(
    `  opened in ${medianOf(ofFew).toFixed(0)} ms (${FEW}) and ${medianOf(ofMany).toFixed(0)} ms (${MANY}): ${slower.toFixed(2)} times as long`,
  );

  const most = await readBack(many, MANY - READ_BACK);
  console.log(`  ${READ_BACK} messages read back: ${most} bubbles in the page at most`);
  expect(most).toBeLessThanOrEqual(BUBBLES_AT_MOST);

  // First within the rendered messages, then further, so that pages are added and removed. Compares each flick with its
  // neighbour in the short list.
  const shortWheel = await Wheel.over(few);
  const longWheel = await Wheel.over(many);
  const flick = (await shortWheel.room()).up;
  const within = await flickInTurns([few, shortWheel], [many, longWheel], (i) =>
    i % 2 === 0 ? flick : -flick,
  );
  printFrames('within the rendered messages', within);
  const onwards = await flickInTurns([few, shortWheel], [many, longWheel], (i) =>
    i < FLICKS / 2 ? -flick : flick,
  );
  printFrames('while pages load', onwards);
  console.log(`  load of the machine ${loadavg()[0]?.toFixed(1)}`);

  const jumpedAt = Date.now();
  await many.goto(`/handler/conversation/${long.id}?message=500`);
  await expect(many.locator('[data-seq="500"]')).toBeInViewport();
  console.log(`  message 500 opened by its address ${Date.now() - jumpedAt} ms after the page was asked for`);
  await many.getByRole('button', { name: 'Go to the newest message' }).click();
  await expect(many.locator(`[data-seq="${MANY}"]`)).toBeInViewport();

  expect(slower).toBeLessThanOrEqual(TIMES_AS_LONG_AT_MOST);
  expect(within.share).toBeGreaterThanOrEqual(SHARE_AT_LEAST);
  expect(onwards.share).toBeGreaterThanOrEqual(SHARE_WITH_PAGES_AT_LEAST);
});

type Flicked = { few: Frames; many: Frames; share: number };

/** The two alternate, so that other load on the machine affects both. */
async function flickInTurns(
  [few, shortWheel]: [Page, Wheel],
  [many, longWheel]: [Page, Wheel],
  pixels: (turn: number) => number,
): Promise<Flicked> {
  const ofFew: Frames[] = [];
  const ofMany: Frames[] = [];
  for (let turn = 0; turn < FLICKS; turn += 1) {
    await few.bringToFront();
    const { up, down } = await shortWheel.room();
    ofFew.push(await shortWheel.turn(up > 0 ? -up : down, PIXELS_PER_SECOND));
    await many.bringToFront();
    ofMany.push(await longWheel.turn(pixels(turn), PIXELS_PER_SECOND));
  }
  const share = medianOf(ofMany.map((frames, turn) => perSecond(frames) / perSecond(ofFew[turn] ?? frames)));
  return { few: sum(ofFew), many: sum(ofMany), share };
}

function printFrames(what: string, { few, many, share }: Flicked): void {
  console.log(`  ${what}, ${FEW} messages: ${formatFrames(few)}`);
  console.log(
    `  ${what}, ${MANY} messages: ${formatFrames(many)}; flick by flick ${share.toFixed(2)} of the frames`,
  );
}

async function open(page: Page, chat: MadeChat): Promise<number> {
  await page.goto('/handler');
  const row = page.locator(`a[href$="${chat.id}"]`);
  await expect(row).toBeVisible();
  await timeSwitches(page);
  await row.click();
  await expect.poll(() => switchTimes(page), { intervals: [20] }).toHaveLength(1);
  return (await switchTimes(page))[0] ?? Number.NaN;
}

/** Scrolls up one screen per frame to that message. Returns the highest number of bubbles in the page meanwhile. */
async function readBack(page: Page, to: number): Promise<number> {
  await page.bringToFront();
  return page.getByRole('log').evaluate(async (log, wanted) => {
    let most = 0;
    const first = () => Number(log.querySelector<HTMLElement>('[data-seq]')?.dataset.seq ?? 0);
    while (first() > wanted) {
      log.scrollBy(0, -log.clientHeight);
      await new Promise(requestAnimationFrame);
      most = Math.max(most, log.querySelectorAll('[data-seq]').length);
    }
    return most;
  }, to);
}
