/** Limits how many tasks run at once. The rest waits in order. */
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

  /** Resolves with a release function, to be called once. An aborted wait resolves at once. */
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
