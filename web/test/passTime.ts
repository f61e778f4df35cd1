import { vi } from 'vitest';

/** Waits for the next animation frame, which is later on a slow page. */
export const frame = () => new Promise((done) => requestAnimationFrame(done));

/** Moves the fake time, and lets the page work. Without a pause, fake seconds would pass while the page handles one answer. */
export async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await frame();
  await frame();
}
