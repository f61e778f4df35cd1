/**
 * Does it for each, so many at a time, taking the next only when there is room. The first failure ends it, when nothing
 * is under way any more: whoever tidies up afterwards has no one to race with.
 */
export async function someAtOnce<T>(
  source: AsyncIterable<T>,
  atOnce: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const items = source[Symbol.asyncIterator]();
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    try {
      while (failures.length === 0) {
        const next = await items.next();
        if (next.done === true || failures.length > 0) return;
        await act(next.value);
      }
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await items.return?.();
  if (failures.length > 0) throw failures[0];
}
