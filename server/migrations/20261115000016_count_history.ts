import type { MigrationBuilder } from 'node-pg-migrate';

/**
 * Counts what happened before anybody counted, in no transaction: few rows at a time, so that nobody waits for long. It
 * can be run again at any point: what is counted is marked in the same transaction.
 */
export function up(pgm: MigrationBuilder): void {
  pgm.noTransaction();
  pgm.sql('drop index concurrently if exists invites_unopened');
  // The newest invite that nobody has opened. Building it has also waited for every statement that began before, so none
  // runs the old append_messages any more.
  pgm.sql("create index concurrently invites_unopened on invites (created_at) where state = 'NEW'");
  pgm.sql(COUNT_INVITES);
  pgm.sql(COUNT_CONVERSATIONS);
}

export const down = false;

const COUNT_INVITES = `
do $$
declare
  v_last uuid := '00000000-0000-0000-0000-000000000000';
  v_ids uuid[];
begin
  loop
    select array_agg(l.id), max(l.id::text)::uuid into v_ids, v_last from (
      select id from invites where id > v_last and counted is null order by id limit 500 for update
    ) l;
    exit when v_ids is null;
    insert into figures_fresh (quarter, invites, opened, started)
    select date_bin('15 minutes', created_at, 'epoch'), count(*), count(coalesce(seen_at, bound_at)), count(bound_at)
    from invites where id = any (v_ids) group by 1;
    update invites set counted = true where id = any (v_ids);
    perform fold_figures(10000);
    commit;
  end loop;
end $$`;

/**
 * Locked in the order of sends. A conversation that is locked has no message on its way, and append_messages leaves first
 * replies to this as long as `uncounted` is not -1. Nothing here looks at a row that somebody else may change meanwhile.
 * Who writes to one of them waits for the step, which therefore ends behind 5,000 messages.
 */
const COUNT_CONVERSATIONS = `
do $$
declare
  v_last uuid := '00000000-0000-0000-0000-000000000000';
  v_ids uuid[];
begin
  loop
    select array_agg(l.id), max(l.id::text)::uuid into v_ids, v_last from (
      select c.id, sum(c.last_seq) over (order by c.id) - c.last_seq as before from (
        select c.id, c.last_seq from conversations c
        where c.id > v_last and c.uncounted is distinct from -1
        order by c.id limit 100 for update
      ) c
    ) l where l.before < 5000;
    exit when v_ids is null;

    insert into figures_fresh (quarter, conversations)
    select date_bin('15 minutes', created_at, 'epoch'), count(*)
    from conversations where id = any (v_ids) group by 1;

    insert into figures_fresh (quarter, visitors, replies)
    select date_bin('15 minutes', m.created_at, 'epoch'), count(*) filter (where not m.from_owner),
      count(*) filter (where m.from_owner)
    from conversations c
    join messages m on m.conversation_id = c.id and m.seq <= coalesce(c.uncounted, c.last_seq)
    where c.id = any (v_ids)
    group by 1;

    with asked as materialized (
      select given.id, m.seq, m.created_at as at from unnest(v_ids) as given (id)
      cross join lateral (
        select m.seq, m.created_at from messages m
        where m.conversation_id = given.id and not m.from_owner order by m.seq limit 1
      ) m
    ),
    replied as materialized (
      select asked.id, asked.at as asked_at, m.created_at as at from asked
      left join lateral (
        select m.created_at from messages m
        where m.conversation_id = asked.id and m.from_owner and m.seq > asked.seq order by m.seq limit 1
      ) m on true
    )
    -- A trigger counts the first replies.
    update conversations c set first_asked_at = r.asked_at, first_replied_at = r.at from replied r where c.id = r.id;

    update conversations set uncounted = -1 where id = any (v_ids);
    perform fold_figures(10000);
    commit;
  end loop;
end $$`;
