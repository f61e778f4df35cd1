import { type Db, one, raw, run, type Sql, sql } from '../platform/db/query.ts';

/**
 * What differs from the index, of `c` and its head `h`: new messages, another desk or another name. The head has no
 * name after a label has changed.
 */
export const DIFFERS = `(h.conversation_id is null or h.seq < c.last_seq
  or h.alias is distinct from c.handler_alias or h.visitor_name is distinct from c.visitor_name)`;

/** Conversations per statement. */
const STEP = 1_000;

/**
 * Marks changed conversations for the index, in the statement that changes them. Open ones are compared without a mark.
 * `changed` has the columns id, handler_alias and status.
 */
export function markEnded(changed: Sql): Sql {
  return sql`insert into search_due (alias, conversation_id)
    select handler_alias, id from ${changed} where status <> 'open'`;
}

/** Conversations that came without an index: all after a restore, or those of a desk from another cell. */
export function markAll(db: Db, alias: string | null = null): Promise<void> {
  const all = sql`(select * from conversations where ${alias}::text is null or handler_alias = ${alias}) c`;
  return run(db)`${markEnded(all)}`;
}

/**
 * Marks ended conversations that differ from the index without a mark: gateways of a release before the marks may have
 * changed them during an upgrade. Returns their number.
 */
export async function markMissed(db: Db): Promise<number> {
  let missed = 0;
  let last: string | null = '00000000-0000-0000-0000-000000000000';
  while (last !== null) {
    const step: { last: string | null; missed: number } = await markStep(db, last);
    missed += step.missed;
    last = step.last;
  }
  return missed;
}

function markStep(db: Db, after: string): Promise<{ last: string | null; missed: number }> {
  return one<{ last: string | null; missed: number }>(db)`
    with step as materialized (
      select c.id, c.handler_alias, c.status, c.last_seq, c.visitor_name from conversations c
      where c.id > ${after} order by c.id limit ${STEP}
    ), differing as materialized (
      select c.id, c.handler_alias, c.status from step c left join search_heads h on h.conversation_id = c.id
      where c.status <> 'open' and ${raw(DIFFERS)}
        and not exists (select from search_due d where d.conversation_id = c.id)
    ), marked as (${markEnded(sql`differing`)})
    select (select max(id::text) from step) as last, (select count(*)::integer from differing) as missed`;
}
