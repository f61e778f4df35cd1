import { affected, column, type Db, exists, one, type Sql, sql } from '../engine/query.ts';
import { EXPIRED, inactiveFor } from './erasure.ts';

/**
 * Conversations whose last message is older than their retention, whatever their status. There is no index, because
 * every send moves that time: this scans the table once an hour, or not at all if nothing expires.
 */
const WITH_TERMS = sql`from conversations c join invites i on i.id = c.invite_id cross join brand b`;
const EXPIRED_CONVERSATIONS = sql`${WITH_TERMS} where ${EXPIRED}`;

/** Expired or revoked invites past retention. A bound invite is deleted with its conversation. */
const EXPIRED_INVITE = sql`i.state <> 'BOUND' and not exists (select from conversations c where c.invite_id = i.id)
    and (case when i.state = 'REVOKED' then coalesce(i.revoked_at, i.expires_at) else i.expires_at end)
      < now() - make_interval(days => coalesce(i.keep_days, b.keep_days))`;
const EXPIRED_INVITES = sql`from invites i cross join brand b where ${EXPIRED_INVITE}`;

/** False if everything is kept forever. */
function anyTerm(db: Db): Promise<boolean> {
  return exists(db)`
    select where exists (select from brand where keep_days is not null)
      or exists (select from invites where keep_days is not null)`;
}

export async function findExpiredConversations(db: Db, limit: number): Promise<string[]> {
  if (!(await anyTerm(db))) return [];
  return column<string>(db)`select c.id ${EXPIRED_CONVERSATIONS} limit ${limit}`;
}

/**
 * Returns the number of deleted invites. The condition is repeated outside of the subquery: an invite renewed while we
 * waited for its lock must stay.
 */
export async function eraseExpiredInvites(db: Db, limit: number): Promise<number> {
  if (!(await anyTerm(db))) return 0;
  return affected(db)`
    delete from invites i using brand b
    where i.id = any (array(select i.id ${EXPIRED_INVITES} limit ${limit})) and ${EXPIRED_INVITE}`;
}

export async function countExpired(db: Db): Promise<{ conversations: number; invites: number }> {
  return { conversations: await count(db, EXPIRED_CONVERSATIONS), invites: await count(db, EXPIRED_INVITES) };
}

/** Conversations that would expire with this retention for the installation. An invite's own retention still wins. */
export function countExpiredWithTerm(db: Db, days: number | null): Promise<number> {
  return count(db, sql`${WITH_TERMS} where ${inactiveFor(sql`coalesce(i.keep_days, ${days}::integer)`)}`);
}

/** The same for one invite's conversation, with this retention for the invite. */
export function countExpiredWithInviteTerm(db: Db, inviteId: string, days: number | null): Promise<number> {
  const older = inactiveFor(sql`coalesce(${days}::integer, b.keep_days)`);
  return count(db, sql`${WITH_TERMS} where i.id = ${inviteId} and ${older}`);
}

async function count(db: Db, what: Sql): Promise<number> {
  return (await one<{ count: number }>(db)`select count(*)::integer as count ${what}`).count;
}
