import { indexSlice } from '../src/db/search/searchIndex.ts';
import type { TestServer } from './harness.ts';

/** Brings the index up to date, of one desk or of all: a search itself gives up on that after a moment. */
export async function indexAll(server: TestServer, alias: string | null = null): Promise<void> {
  while ((await indexSlice(server.app.db, { alias, open: false, wait: true, ms: 10_000 })) === 'more');
}
