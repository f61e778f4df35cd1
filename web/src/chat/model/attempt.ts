/** For what may throw and is not worth a broken page: storage may be full or forbidden, an address no address. */
export function attempt<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
