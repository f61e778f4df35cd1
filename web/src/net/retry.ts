import type { Api } from './api.ts';

const TRIES = 4;
const FIRST_PAUSE_MS = 300;
/** Stop retrying after this time, so that the user sees the error. */
const GIVE_UP_AFTER_MS = 15_000;

/** Tries up to four times with growing pauses. Does not retry while offline. */
export async function retryUntilAnswered<T>(
  ask: () => Promise<T>,
  isAnswer: (got: T) => boolean,
): Promise<T> {
  const began = Date.now();
  for (let tries = 1; ; tries += 1) {
    const got = await ask();
    const over = tries === TRIES || navigator.onLine === false || Date.now() - began > GIVE_UP_AFTER_MS;
    if (over || isAnswer(got)) return got;
    const pause = FIRST_PAUSE_MS * 3 ** (tries - 1) * (0.75 + Math.random() / 2);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Retries calls that are safe to repeat while no answer arrives. */
export function withRetries<A extends Api<never>>(api: A, mayRepeat: (name: string) => boolean): A {
  const ask = api as unknown as Api;
  const repeated: Api = (name, parts) =>
    mayRepeat(name)
      ? retryUntilAnswered(
          () => ask(name, parts),
          (got) => got.ok || got.status !== 0,
        )
      : ask(name, parts);
  return repeated as unknown as A;
}
