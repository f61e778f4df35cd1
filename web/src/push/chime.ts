import type { Clock } from '../net/clock.ts';

export const CHIME_INTERVAL_MS = 2_000;

/** Plays one sound for several messages that arrive together. */
export function chime(clock: Clock, play: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    if (clock.now() - last < CHIME_INTERVAL_MS) return;
    last = clock.now();
    play();
  };
}
