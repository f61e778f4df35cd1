import { forEachConcurrently } from '../platform/limits/concurrency.ts';

/** More would leave too few connections for the chat itself. */
const MAX_CONCURRENT = 3;

/**
 * Changes each conversation, a few at a time, each in its own transaction. Returns the ids for which `act` was false.
 * After a failure no other is begun: the caller must not find more changes later.
 */
export async function eachOf(
  ids: readonly string[],
  act: (id: string) => Promise<boolean>,
): Promise<{ done: number; missed: string[] }> {
  const missed: string[] = [];
  let done = 0;
  await forEachConcurrently(new Set(ids), MAX_CONCURRENT, async (id) => {
    if (await act(id)) done += 1;
    else missed.push(id);
  });
  return { done, missed };
}
