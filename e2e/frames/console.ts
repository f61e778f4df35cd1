import type { Page } from '@playwright/test';

type Timing = { switching?: { pressedAt: number | undefined; times: number[] } };

/** Starts to measure the time from a key press or click to the frame that shows the other chat's message. */
export async function timeSwitches(page: Page): Promise<void> {
  await page.evaluate(() => {
    const switching: NonNullable<Timing['switching']> = { pressedAt: undefined, times: [] };
    (globalThis as Timing).switching = switching;
    let shownBefore: Element | null = null;
    for (const type of ['keydown', 'pointerdown']) {
      document.addEventListener(
        type,
        (event) => {
          switching.pressedAt = event.timeStamp;
          shownBefore = document.querySelector('[role=log] [data-side]');
        },
        { capture: true },
      );
    }
    new MutationObserver(() => {
      const log = document.querySelector('[role=log]');
      const newest = [...(log?.querySelectorAll('[data-side]') ?? [])].at(-1);
      const { pressedAt } = switching;
      if (!log || !newest || newest === shownBefore || pressedAt === undefined) return;
      if (shownBefore && log.contains(shownBefore)) return;
      const { bottom } = newest.getBoundingClientRect();
      if (bottom > log.getBoundingClientRect().bottom || getComputedStyle(newest).visibility === 'hidden')
        return;
      switching.pressedAt = undefined;
      // A message posted in the frame's last callback is received after the frame is painted.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => switching.times.push(performance.now() - pressedAt);
        port2.postMessage(undefined);
      });
    }).observe(document.body, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ['data-ready'],
    });
  });
}

export function switchTimes(page: Page): Promise<number[]> {
  return page.evaluate(() => (globalThis as Timing).switching?.times ?? []);
}
