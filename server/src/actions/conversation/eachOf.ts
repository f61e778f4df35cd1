/** More at once would take every connection from those who chat. */
const AT_ONCE = 3;

/**
 * Does it for each, a few at a time, each in a transaction of its own. Answers those for which it was not so. When one
 * fails, no other is begun: whoever is told of a failure must not find more done later.
 */
export async function eachOf(
  ids: readonly string[],
  act: (id: string) => Promise<boolean>,
): Promise<{ done: number; missed: string[] }> {
  const left = [...new Set(ids)];
  const missed: string[] = [];
  let done = 0;
  async function work(): Promise<void> {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      if (await act(id)) done += 1;
      else missed.push(id);
    }
  }
  const workers = Array.from({ length: AT_ONCE }, () =>
    work().catch((error: unknown) => {
      left.length = 0;
      throw error;
    }),
  );
  // What was under way when one failed is waited for, too.
  await Promise.allSettled(workers);
  await Promise.all(workers);
  return { done, missed };
}
