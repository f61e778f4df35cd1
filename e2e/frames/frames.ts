import type { CDPSession, Locator, Page } from '@playwright/test';

/** Shorter frames cannot be distinguished from those of a 60 Hz screen. Longer ones are late. */
const LATE_MS = 20;

/**
 * The minimum share of a short list's frame rate for a long list. A list that slows down with its length reaches a
 * tenth. A quiet machine reaches 0.95 to 1, a busy one at least 0.8, so the limit is well below both.
 */
export const SHARE_AT_LEAST = 0.6;

export type Frames = { count: number; seconds: number; late: number };

export function perSecond({ count, seconds }: Frames): number {
  return count / seconds;
}

export function sum(all: Frames[]): Frames {
  return all.reduce(
    (total, { count, seconds, late }) => ({
      count: total.count + count,
      seconds: total.seconds + seconds,
      late: total.late + late,
    }),
    { count: 0, seconds: 0, late: 0 },
  );
}

export function formatFrames(frames: Frames): string {
  const share = ((frames.late / frames.count) * 100).toFixed(1);
  return `${perSecond(frames).toFixed(1)} frames a second, ${share} % of ${frames.count} later than ${LATE_MS} ms`;
}

/** Scrolls a list with the mouse wheel and counts the frames that the page paints meanwhile. */
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

  /** Scrolls down for positive pixels, up for negative ones. */
  async turn(pixels: number, pixelsPerSecond: number): Promise<Frames> {
    const box = await this.#list.boundingBox();
    if (box === null) throw new Error('the list is not on the screen');
    await this.#page.evaluate(startCounting);
    await this.#session.send('Input.synthesizeScrollGesture', {
      x: Math.round(box.x + box.width / 2),
      y: Math.round(box.y + box.height / 2),
      yDistance: -pixels,
      speed: pixelsPerSecond,
      gestureSourceType: 'mouse',
    });
    const deltas = await this.#page.evaluate(stopCounting);
    return {
      count: deltas.length,
      seconds: deltas.reduce((total, each) => total + each, 0) / 1_000,
      late: deltas.filter((each) => each > LATE_MS).length,
    };
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
