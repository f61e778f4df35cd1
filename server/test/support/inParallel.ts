import { forEachConcurrently } from '../../src/platform/limits/concurrency.ts';
import type { TestServer } from './harness.ts';

/**
 * Makes the calls in parallel, as many at once as there are database connections. More would wait for a connection, on
 * a slow machine for too long. Calls that stop somebody have only `RESERVED.connections`.
 */
export async function inParallel<T>(
  { app }: TestServer,
  calls: (() => Promise<T>)[],
  atOnce = app.config.databaseConnections,
): Promise<T[]> {
  const results: T[] = [];
  await forEachConcurrently([...calls.entries()], atOnce, async ([at, call]) => {
    results[at] = await call();
  });
  return results;
}
