/** Environment variable of `npm run nightly`: the slow tests run at full size. */
export const FULL = { SETTEE_FULL: 'yes' };

export const isFull = process.env.SETTEE_FULL === FULL.SETTEE_FULL;

/** Some tests are slow by design. CI runs them in a small size, and `npm run nightly` in the full size. */
export function fullSize<T>(small: T, full: T): T {
  return isFull ? full : small;
}

/** Random inputs of CI are the same in every run, so that the same code always gives the same result. */
export function seedOr(drawn: () => number): number {
  return isFull ? drawn() : 20_261_116;
}
