/** Does it for each, so many at a time, taking the next only when there is room. The first failure ends it. */
export async function someAtOnce<T>(
  source: AsyncIterable<T>,
  atOnce: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const items = source[Symbol.asyncIterator]();
  let over = false;
  const work = async (): Promise<void> => {
    while (!over) {
      const next = await items.next();
      if (next.done === true) return;
      await act(next.value);
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    over = true;
    await items.return?.();
  }
}
