import type { App } from '../src/app.ts';

/**
 * Holds the result of the next query with this name, after PostgreSQL has returned it. So a test can change data
 * between a read and its use.
 */
export function holdAnswer(app: App, name: string): { asked: Promise<void>; release(): void } {
  const { pool } = app.db;
  const query = pool.query.bind(pool) as (...parts: unknown[]) => Promise<unknown>;
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = async (...parts: unknown[]): Promise<unknown> => {
    const [first] = parts as [{ name?: string }];
    if (first.name !== name) return query(...parts);
    Object.assign(pool, { query });
    const answer = await query(...parts);
    asked.resolve();
    await released.promise;
    return answer;
  };
  Object.assign(pool, { query: holding });
  return { asked: asked.promise, release: () => released.resolve() };
}
