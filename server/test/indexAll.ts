import { expect, vi } from 'vitest';
import { indexSlice } from '../src/db/search/searchIndex.ts';
import type { Reply, TestServer } from './harness.ts';
import { soon } from './soon.ts';

/** Updates the search index of one desk or of all. A search itself stops indexing after a short time. */
export async function indexAll(server: TestServer, alias: string | null = null): Promise<void> {
  while ((await indexSlice(server.app.db, { alias, what: 'all', wait: true, ms: 10_000 })) === 'more');
}

/** The answer of a search that saw the whole index. On a busy machine one may run out of its short time. */
export async function completely(search: () => Promise<Reply>): Promise<Reply> {
  return vi.waitFor(async () => {
    const reply = await search();
    expect([reply.status, reply.body.complete]).toEqual([200, true]);
    return reply;
  }, soon);
}
