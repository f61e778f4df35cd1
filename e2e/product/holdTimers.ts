import type { Page } from '@playwright/test';

/** What a timer of so many milliseconds would end stays: such timers never run, from the page's next load on. */
export async function holdTimers(page: Page, length: number): Promise<void> {
  await page.addInitScript((held) => {
    const { setTimeout } = globalThis;
    // Until it is set, a few of them may have passed.
    const isHeld = (ms = 0) => ms > held - 100 && ms <= held;
    Object.assign(globalThis, {
      setTimeout: (run: () => void, ms?: number) => (isHeld(ms) ? 0 : setTimeout(run, ms)),
    });
  }, length);
}
