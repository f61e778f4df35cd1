/** The first answer that `look` gives, now or after a change; false when it is no longer waited for. */
export function waitFor(
  subscribe: (listener: () => void) => () => void,
  look: () => boolean | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (known: boolean) => {
      unsubscribe();
      signal.removeEventListener('abort', stop);
      resolve(known);
    };
    const stop = () => settle(false);
    const again = () => {
      const known = look();
      if (known !== undefined) settle(known);
    };
    const unsubscribe = subscribe(again);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    else again();
  });
}
