import { type Backlog, readBacklog } from '../db/engine/backlog.ts';
import type { Database } from '../db/engine/database.ts';
import { within } from './within.ts';

const KEPT_MS = 10_000;
/** A scrape must not hang because the database does. */
const READ_MS = 2_000;

/** The backlog as it was within the last ten seconds, however many ask; undefined while it cannot be read. */
export function freshBacklog(db: Database): () => Promise<Backlog | undefined> {
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<Backlog | undefined> = Promise.resolve(undefined);
  return () => {
    if (performance.now() - readAt >= KEPT_MS) {
      readAt = performance.now();
      reading = within(READ_MS, readBacklog(db)).catch(() => undefined);
    }
    return reading;
  };
}
