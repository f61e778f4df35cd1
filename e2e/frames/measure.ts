import type { CDPSession, Locator, Page } from '@playwright/test';
import { medianOf } from '../median.ts';

/** A fast flick. */
const PIXELS_PER_SECOND = 8_000;

/** Scrolls a list with the mouse wheel. */
export class Wheel {
  readonly #page: Page;
  readonly #session: CDPSession;
  readonly #list: Locator;

  private constructor(page: Page, session: CDPSession, list: Locator) {
    this.#page = page;
    this.#session = session;
    this.#list = list;
  }

  /** `list` is the scrolling element: by default a conversation's messages. */
  static async over(page: Page, list = page.getByRole('log')): Promise<Wheel> {
    return new Wheel(page, await page.context().newCDPSession(page), list);
  }

  /** How far the list can still scroll, up and down. */
  room(): Promise<{ up: number; down: number }> {
    return this.#list.evaluate((list) => ({
      up: Math.round(list.scrollTop),
      down: Math.round(list.scrollHeight - list.clientHeight - list.scrollTop),
    }));
  }

  /** Scrolls down for positive pixels, up for negative ones. Returns the frames that the page painted per second. */
  async turn(pixels: number): Promise<number> {
    await this.#page.bringToFront();
    const box = await this.#list.boundingBox();
    if (box === null) throw new Error('the list is not on the screen');
    await this.#page.evaluate(startCounting);
    await this.#session.send('Input.synthesizeScrollGesture', {
      x: Math.round(box.x + box.width / 2),
      y: Math.round(box.y + box.height / 2),
      yDistance: -pixels,
      speed: PIXELS_PER_SECOND,
      gestureSourceType: 'mouse',
    });
    const deltas = await this.#page.evaluate(stopCounting);
    return deltas.length / (deltas.reduce((total, each) => total + each, 0) / 1_000);
  }
}

type Counting = { frameDeltas?: number[] };

function startCounting(): void {
  const deltas: number[] = [];
  (globalThis as Counting).frameDeltas = deltas;
  let last: number | undefined;
  const frame = (now: number): void => {
    if ((globalThis as Counting).frameDeltas !== deltas) return;
    if (last !== undefined) deltas.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

function stopCounting(): number[] {
  const { frameDeltas = [] } = globalThis as Counting;
  delete (globalThis as Counting).frameDeltas;
  return frameDeltas;
}

/**
 * Flicks a short list from end to end, and a long one by `pixels`, in turn, until the long one has no room. Returns the
 * frame rate of the long list as a share of the short one's. Each flick is compared with its neighbour, and the median
 * counts: a burst of other load affects a few flicks, a slow list affects all of them.
 */
export async function compareFlicks(
  what: string,
  short: Wheel,
  long: Wheel,
  { flicks, pixels, after }: Flicks,
): Promise<number> {
  const ofShort: number[] = [];
  const ofLong: number[] = [];
  for (let turn = 0; turn < flicks; turn += 1) {
    const next = pixels(turn);
    const left = await long.room();
    if ((next > 0 ? left.down : left.up) === 0) break;
    const { up, down } = await short.room();
    ofShort.push(await short.turn(up > 0 ? -up : down));
    ofLong.push(await long.turn(next));
    await after?.();
  }
  const share = medianOf(ofLong.map((frames, turn) => frames / (ofShort[turn] ?? frames)));
  const [few, many] = [ofShort, ofLong].map((each) => medianOf(each).toFixed(1));
  console.log(
    `  ${what}: ${many} frames a second, ${few} in a short list; ${share.toFixed(2)} flick by flick`,
  );
  return share;
}

type Flicks = { flicks: number; pixels: (turn: number) => number; after?: () => Promise<void> };
