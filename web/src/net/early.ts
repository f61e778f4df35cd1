/** The requests that the page made before its scripts came, by their path: see vite/beforeFirstPaint.ts. */
const asked = (globalThis as { early?: Partial<Record<string, Promise<Response>>> }).early ?? {};

/** Takes over such a request, once. What was lost fails here as any request would, and is repeated as any would be. */
export const earlyFetch: typeof fetch = (input, init) => {
  const path = typeof input === 'string' ? input : '';
  const early = asked[path];
  delete asked[path];
  return early ?? fetch(input, init);
};
