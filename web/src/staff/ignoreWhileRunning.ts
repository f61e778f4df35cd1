/** Ignores calls while one is running; those return undefined. */
export function ignoreWhileRunning(): <T>(work: () => Promise<T>) => Promise<T | undefined> {
  let busy = false;
  return async (work) => {
    if (busy) return undefined;
    busy = true;
    try {
      return await work();
    } finally {
      busy = false;
    }
  };
}
