import { hash } from 'node:crypto';
import type { App } from '../platform/app.ts';
import { type ChainedEntry, forEachAuditEntry } from './auditChain.store.ts';

/** A head recorded elsewhere: the number of entries at that time, and the hash of the last one. */
export type RecordedHead = { count: number; hash: string };

export type Verified =
  | ({ whole: true } & RecordedHead)
  /** `id` is the first entry that was changed, moved or removed. */
  | { whole: false; id: number; problem: string };

const NOTHING = Buffer.alloc(32);

/**
 * Recomputes the hash chain from the first entry. A log that was rewritten with new hashes, or cut off with its head, is
 * consistent in itself; only heads recorded elsewhere (`kept`) reveal it.
 */
export async function verifyAudit(
  app: Pick<App, 'db'>,
  kept: readonly RecordedHead[] = [],
): Promise<Verified> {
  const hashes = new Map<number, Set<string>>();
  for (const { count, hash } of kept) hashes.set(count, (hashes.get(count) ?? new Set()).add(hash));
  let last = { id: 0, hash: NOTHING as Buffer };
  let wrong: { id: number; problem: string } | undefined;

  const head = await forEachAuditEntry(app.db, (entry) => {
    const problem = problemOf(entry, last) ?? keptProblem(entry, hashes.get(entry.id));
    if (problem !== undefined) {
      wrong = { id: problem.startsWith('is missing') ? last.id + 1 : entry.id, problem };
      return false;
    }
    last = entry;
    return true;
  });

  if (wrong !== undefined) return { whole: false, ...wrong };
  const end = Math.max(head.count, ...hashes.keys());
  if (end > last.id) return { whole: false, id: last.id + 1, problem: `is missing, with all up to ${end}` };
  if (head.count < last.id) return { whole: false, id: head.count + 1, problem: 'was added past the head' };
  if (!head.hash.equals(last.hash))
    return { whole: false, id: last.id, problem: 'is not what the head says' };
  return { whole: true, count: last.id, hash: last.hash.toString('hex') };
}

function problemOf(entry: ChainedEntry, last: { id: number; hash: Buffer }): string | undefined {
  if (entry.id > last.id + 1) return 'is missing';
  if (entry.id <= last.id) return 'was put in before the first';
  if (!hashOf(entry).equals(entry.hash)) return 'was changed';
  if (!entry.prev.equals(last.hash)) {
    return `does not follow the one before: ${last.id === 0 ? 'it' : `it, or ${last.id},`} was rewritten, put in or moved`;
  }
  return undefined;
}

function keptProblem(entry: ChainedEntry, kept: ReadonlySet<string> | undefined): string | undefined {
  const hash = entry.hash.toString('hex');
  return [...(kept ?? [])].every((each) => each === hash)
    ? undefined
    : 'has not the hash that was kept: the log was rewritten';
}

/** SHA-256 of the previous hash followed by each field as length in bytes, a colon and its text. */
function hashOf({ prev, words }: ChainedEntry): Buffer {
  const text = words.map((word) => `${Buffer.byteLength(word)}:${word}`).join('');
  return hash('sha256', Buffer.concat([prev, Buffer.from(text)]), 'buffer');
}
