/** Lets so many through at once; the rest waits in line. */
export function concurrencyLimit(most: number): (signal: AbortSignal) => Promise<() => void> {
  const line: (() => void)[] = [];
  let inside = 0;

  function next(): void {
    if (inside >= most) return;
    const enter = line.shift();
    if (!enter) return;
    inside += 1;
    enter();
  }

  /** Resolves with the way out, which must be taken once. Who gives up waiting is let through, to leave at once. */
  return (signal) =>
    new Promise((resolve) => {
      const leave = () => {
        inside -= 1;
        next();
      };
      const enter = () => {
        signal.removeEventListener('abort', giveUp);
        resolve(leave);
      };
      const giveUp = () => {
        line.splice(line.indexOf(enter), 1);
        resolve(() => {});
      };
      if (signal.aborted) return resolve(() => {});
      signal.addEventListener('abort', giveUp);
      line.push(enter);
      next();
    });
}
