import type { Page } from '@playwright/test';

/** Timers of about `length` milliseconds never run, from the page's next load on. */
export async function holdTimers(page: Page, length: number): Promise<void> {
  await page.addInitScript((held) => {
    const { setTimeout } = globalThis;
    // Code may start a timer for the time that is left, a few milliseconds less than the full length.
    const isHeld = (ms = 0) => ms > held - 100 && ms <= held;
    Object.assign(globalThis, {
      setTimeout: (run: () => void, ms?: number) => (isHeld(ms) ? 0 : setTimeout(run, ms)),
    });
  }, length);
}
