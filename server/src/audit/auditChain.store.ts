import type { Database } from '../platform/db/database.ts';
import { micros, one, rows } from '../platform/db/query.ts';

/** An entry with the texts that its hash covers. */
export type ChainedEntry = {
  id: number;
  prev: Buffer;
  hash: Buffer;
  words: [id: string, micros: string, actor: string, action: string, target: string, details: string];
};

export type ChainHead = { count: number; hash: Buffer };

const PAGE = 1_000;

/** Reads the whole log in order, from one snapshot. Returns the stored head. */
export function forEachAuditEntry(db: Database, take: (entry: ChainedEntry) => boolean): Promise<ChainHead> {
  return db.transaction(async (snapshot) => {
    const head = await one<ChainHead>(snapshot)`select count::float8 as count, hash from audit_head`;
    let after: string | null = null;
    for (let full = true; full; ) {
      const page: Row[] = await rows<Row>(snapshot)`
        select id, prev, hash, ${micros('at')} as micros,
          actor, action, target, details::text as details
        from audit where ${after}::bigint is null or id > ${after}::bigint
        order by id limit ${PAGE}`;
      for (const { id, prev, hash, micros, actor, action, target, details } of page) {
        const words: ChainedEntry['words'] = [id, micros, actor, action, target, details];
        if (!take({ id: Number(id), prev, hash, words })) return head;
      }
      after = page.at(-1)?.id ?? null;
      full = page.length === PAGE;
    }
    return head;
  }, 'begin isolation level repeatable read, read only');
}

type Row = {
  id: string;
  prev: Buffer;
  hash: Buffer;
  micros: string;
  actor: string;
  action: string;
  target: string;
  details: string;
};
