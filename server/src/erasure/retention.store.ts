import { MAIN } from '@settee/protocol/model/profile';
import { FENCED_DESK } from '../platform/db/fence.ts';
import { profileOf } from '../platform/db/profileOf.ts';
import { affected, column, type Db, exists, one, raw, type Sql, sql } from '../platform/db/query.ts';
import { EXPIRED, inactiveFor } from './erasure.store.ts';

/** Conversations whose last message is older than their retention, whatever their status. */
const WITH_TERMS = sql`from conversations c join invites i on i.id = c.invite_id
  ${profileOf(sql`c.handler_alias`)}`;
const EXPIRED_CONVERSATIONS = sql`${WITH_TERMS} where ${EXPIRED}`;

/**
 * Expired or revoked invites past retention. A bound invite is deleted with its conversation. Here and below, `offset 0`
 * keeps the planner from reading the whole other table for a step.
 */
const EXPIRED_INVITE = sql`i.state <> 'BOUND'
    and not exists (select from conversations c where c.invite_id = i.id offset 0)
    and (case when i.state = 'REVOKED' then coalesce(i.revoked_at, i.expires_at) else i.expires_at end)
      < now() - make_interval(days => coalesce(i.keep_days, b.keep_days))`;
const EXPIRED_INVITES = sql`from invites i ${profileOf(sql`i.handler_alias`)} where ${EXPIRED_INVITE}`;

/** About 1,000 rows. */
const PAGES_AT_ONCE = 64;

export const expiredConversations = (db: Db): AsyncGenerator<string> =>
  walk(
    db,
    'conversations',
    (within) => sql`
      select c.id from conversations c ${profileOf(sql`c.handler_alias`)}
      cross join lateral (select i.keep_days from invites i where i.id = c.invite_id offset 0) i
      where ${within('c')} and ${EXPIRED}`,
  );

export const expiredInvites = (db: Db): AsyncGenerator<string> =>
  walk(
    db,
    'invites',
    (within) =>
      sql`select i.id ${EXPIRED_INVITES} and ${within('i')} and i.handler_alias is distinct from ${FENCED_DESK}`,
  );

/**
 * Reads a table once, in many short steps, in the order on disk: no index has the time of the last message, because
 * every send moves it. A row that moves meanwhile can be missed; the next run finds it.
 */
async function* walk(
  db: Db,
  table: string,
  find: (within: (alias: string) => Sql) => Sql,
): AsyncGenerator<string> {
  if (!(await anyTerm(db))) return;
  const { pages } = await one<{ pages: number }>(db)`
    select (pg_relation_size(${table}::regclass) / current_setting('block_size')::integer)::float8 as pages`;
  for (let from = 0; from < pages; from += PAGES_AT_ONCE) {
    const [first, end] = [`(${from},0)`, `(${from + PAGES_AT_ONCE},0)`];
    const within = (alias: string): Sql =>
      sql`${raw(alias)}.ctid >= ${first}::tid and ${raw(alias)}.ctid < ${end}::tid`;
    yield* await column<string>(db)`${find(within)}`;
  }
}

/** False if everything is kept forever. */
function anyTerm(db: Db): Promise<boolean> {
  return exists(db)`
    select where exists (select from profiles where keep_days is not null)
      or exists (select from invites where keep_days is not null)`;
}

/** Returns the number of deleted invites. One that was renewed meanwhile stays. */
export function eraseInvites(db: Db, ids: readonly string[]): Promise<number> {
  return affected(db)`
    with gone as (
      delete from invites i using handlers h, profiles b
      where h.alias = i.handler_alias and b.slug = h.profile and i.id = any (${ids}::uuid[]) and ${EXPIRED_INVITE}
      returning i.id
    ), events as (delete from webhook_deliveries d using gone where d.invite_id = gone.id)
    select from gone`;
}

export async function countExpired(db: Db): Promise<{ conversations: number; invites: number }> {
  return { conversations: await count(db, EXPIRED_CONVERSATIONS), invites: await count(db, EXPIRED_INVITES) };
}

/** Conversations that would expire with this retention for the profile. An invite's own retention still wins. */
export function countExpiredWithTerm(db: Db, days: number | null, profile = MAIN): Promise<number> {
  const older = inactiveFor(sql`coalesce(i.keep_days, ${days}::integer)`);
  return count(db, sql`${WITH_TERMS} where b.slug = ${profile} and ${older}`);
}

/** The same for one invite's conversation, with this retention for the invite. */
export function countExpiredWithInviteTerm(db: Db, inviteId: string, days: number | null): Promise<number> {
  const older = inactiveFor(sql`coalesce(${days}::integer, b.keep_days)`);
  return count(db, sql`${WITH_TERMS} where i.id = ${inviteId} and ${older}`);
}

async function count(db: Db, what: Sql): Promise<number> {
  return (await one<{ count: number }>(db)`select count(*)::integer as count ${what}`).count;
}
