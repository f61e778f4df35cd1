import { INVITE_COUNT_MAX, type InviteCounts, type ListedState } from '@settee/protocol/model/managedInvite';
import { isWithin } from '../access/access.store.ts';
import type { Database } from '../platform/db/database.ts';
import { readDesksShown } from '../platform/db/profileOf.ts';
import { type Db, one, rows, run, type Sql, sql } from '../platform/db/query.ts';
import { type Chosen, LISTED_STATE, matches } from './inviteAdmin.store.ts';

/** Also in 20261118000021_count_all_invites.ts. */
const COUNTS_LOCK = 7365018;

const TODAY = sql`(now() at time zone 'UTC')::date`;

/** Counts per state, with the same filters. A search counts up to INVITE_COUNT_MAX invites. */
export async function countInvites(db: Db, chosen: Chosen): Promise<InviteCounts> {
  const desks = await readDesksShown(db, chosen);
  const fits = matches(chosen, isWithin(desks, sql`i.handler_alias`));
  const counted = await rows<{ state: ListedState; count: number }>(db)`
    select state, sum(count)::integer as count from (${chosen.search ? found(fits) : kept(fits)}) c group by state`;
  const counts: InviteCounts = { NEW: 0, SEEN: 0, BOUND: 0, REVOKED: 0, EXPIRED: 0 };
  for (const { state, count } of counted) counts[state] = count;
  return counts;
}

function found(fits: Sql): Sql {
  return sql`select ${LISTED_STATE} as state, 1 as count from invites i where ${fits}
    limit ${INVITE_COUNT_MAX}`;
}

/** The counts of invite_counts. What expires today is counted one by one. */
function kept(fits: Sql): Sql {
  return sql`
    select case when i.expires_on < ${TODAY} then 'EXPIRED' else i.state end as state, i.count
    from invite_counts i where i.expires_on <> ${TODAY} and ${fits}
    union all
    select ${LISTED_STATE}, 1 from invites i
    where i.state in ('NEW', 'SEEN') and i.expires_at >= date_trunc('day', now(), 'UTC')
      and i.expires_at < date_trunc('day', now(), 'UTC') + interval '1 day' and ${fits}`;
}

/**
 * Merges the rows of each key into one, and all past days into one. A row disappears when its sum appears, so readers
 * count it once. Days end a day late here, for readers whose statement began before midnight.
 */
export function mergeInviteCounts(db: Database): Promise<void> {
  const day = sql`case when expires_on < ${TODAY} - 1 then '-infinity' else expires_on end`;
  return db.transaction(async (step) => {
    // Two at a time would wait for each other.
    const { free } = await one<{ free: boolean }>(step)`
      select pg_try_advisory_xact_lock(${COUNTS_LOCK}::bigint) as free`;
    if (!free) return;
    await run(step)`
      with keys as (
        select handler_alias, state, ${day} as day from invite_counts
        group by 1, 2, 3 having count(*) > 1 or sum(count) = 0
      ),
      merged as (
        delete from invite_counts c using keys k
        where (c.handler_alias, c.state, ${day}) = (k.handler_alias, k.state, k.day)
        returning c.handler_alias, c.state, k.day, c.count
      )
      insert into invite_counts (handler_alias, state, expires_on, count)
      select handler_alias, state, day, sum(count) from merged group by 1, 2, 3 having sum(count) <> 0`;
  });
}
