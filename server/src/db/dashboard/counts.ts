import { type Kysely, sql } from 'kysely';
import type { Tables } from '../engine/tables.ts';

/** Conversations that are open (counted in the queue's own small index), and staff who answer at a desk. */
export async function readCounts(db: Kysely<Tables>): Promise<{ open: number; handlers: number }> {
  const { rows } = await sql<{ open: number; handlers: number }>`
    select
      (select count(*)::int from conversations where status = 'open') as open,
      (select count(*)::int from staff
       where active and alias is not null and role in ('handler', 'admin')) as handlers
  `.execute(db);
  return rows[0] ?? { open: 0, handlers: 0 };
}
