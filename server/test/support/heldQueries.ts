import type { App } from '../../src/platform/app.ts';

/**
 * Holds the result of the next query with this name, after PostgreSQL has returned it. So a test can change data
 * between a read and its use. With an error, the query fails.
 */
export function holdAnswer(app: App, name: string): { asked: Promise<void>; release(error?: Error): void } {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const restore: (() => void)[] = [];
  for (const db of [app.db, app.reserved]) {
    const query = db.query.bind(db) as (...parts: unknown[]) => Promise<unknown>;
    const holding = async (...parts: unknown[]): Promise<unknown> => {
      const [first] = parts as [{ name?: string }];
      if (first.name !== name) return query(...parts);
      for (const back of restore) back();
      const answer = await query(...parts);
      asked.resolve();
      await released.promise;
      return answer;
    };
    restore.push(() => Object.assign(db, { query }));
    Object.assign(db, { query: holding });
  }
  const release = (error?: Error): void => (error ? released.reject(error) : released.resolve());
  return { asked: asked.promise, release };
}
