/** Requests started by the inline script, by path. See vite/beforeFirstPaint.ts. */
const asked = (globalThis as { early?: Partial<Record<string, Promise<Response>>> }).early ?? {};

/** Uses such a request once. A failed one fails here and is retried as usual. */
export const earlyFetch: typeof fetch = (input, init) => {
  const path = typeof input === 'string' ? input : '';
  const early = asked[path];
  delete asked[path];
  return early ?? fetch(input, init);
};
