import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';

/** An entry with the texts that its hash covers. */
export type ChainedEntry = {
  id: number;
  prev: Buffer;
  hash: Buffer;
  words: [id: string, micros: string, actor: string, action: string, target: string, details: string];
};

export type ChainHead = { count: number; hash: Buffer };

const PAGE = 5_000;

/** Reads the whole log in order, from one snapshot. Returns the stored head. */
export async function forEachAuditEntry(
  db: Database,
  take: (entry: ChainedEntry) => boolean,
): Promise<ChainHead> {
  return db.sql
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      const head = await snapshot
        .selectFrom('audit_head')
        .select(['count', 'hash'])
        .executeTakeFirstOrThrow();
      let after: string | undefined;
      for (let full = true; full; ) {
        const { rows } = await sql<Row>`
          select id, prev, hash, (extract(epoch from at) * 1000000)::bigint::text as micros,
            actor, action, target, details::text as details
          from audit where ${after ?? null}::bigint is null or id > ${after ?? null}::bigint
          order by id limit ${PAGE}`.execute(snapshot);
        for (const { id, prev, hash, micros, actor, action, target, details } of rows) {
          const words: ChainedEntry['words'] = [id, micros, actor, action, target, details];
          if (!take({ id: Number(id), prev, hash, words })) return asHead(head);
        }
        after = rows.at(-1)?.id;
        full = rows.length === PAGE;
      }
      return asHead(head);
    });
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

function asHead({ count, hash }: { count: string; hash: Buffer }): ChainHead {
  return { count: Number(count), hash };
}
