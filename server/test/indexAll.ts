import { indexSlice } from '../src/db/search/searchIndex.ts';
import type { TestServer } from './harness.ts';

/** Updates the search index of one desk or of all. A search itself stops indexing after a short time. */
export async function indexAll(server: TestServer, alias: string | null = null): Promise<void> {
  while ((await indexSlice(server.app.db, { alias, what: 'all', wait: true, ms: 10_000 })) === 'more');
}
