/** A second press before the first is answered is the same wish: nothing is done again, and it answers nothing. */
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
