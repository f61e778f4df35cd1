import {
  INVITES_PAGE,
  type InviteDraft,
  type ListedState,
  type ManagedInvite,
} from '@settee/protocol/model/managedInvite';
import { readDesksShown } from '../platform/db/profileOf.ts';
import { type Db, micros, millis, rows, type Sql, sql } from '../platform/db/query.ts';
import type { Manager } from '../platform/ports/caller.ts';

export type Chosen = {
  state?: ListedState | undefined;
  alias?: string | undefined;
  profile?: string | undefined;
  search?: string | undefined;
};

/** The last row of the previous page. In microseconds, because invites of one bulk are that close. */
export type AfterInvite = { createdAt: string; id: string };

const EXPIRED = sql`i.state in ('NEW', 'SEEN') and i.expires_at <= now()`;

const STATE: Record<ListedState, Sql> = {
  NEW: sql`i.state = 'NEW' and i.expires_at > now()`,
  SEEN: sql`i.state = 'SEEN' and i.expires_at > now()`,
  BOUND: sql`i.state = 'BOUND'`,
  REVOKED: sql`i.state = 'REVOKED'`,
  EXPIRED,
};

export const LISTED_STATE = sql`case when ${EXPIRED} then 'EXPIRED' else i.state end`;

const COLUMNS = sql`i.id, i.label, ${LISTED_STATE} as state,
  i.handler_alias as "handlerAlias", ${millis('i.created_at')} as "createdAt", ${millis('i.expires_at')} as "expiresAt",
  ${millis('i.seen_at')} as "seenAt", ${millis('i.bound_at')} as "boundAt", ${millis('i.revoked_at')} as "revokedAt",
  i.keep_days as "keepDays"`;

export function matches({ search }: Chosen, atDesk: Sql): Sql {
  // Written exactly as in the index.
  const found = search ? sql`lower(i.label) like ${`%${escapeLike(search.toLowerCase())}%`}` : sql`true`;
  return sql`${atDesk} and ${found}`;
}

function escapeLike(words: string): string {
  return words.replace(/[\\%_]/g, '\\$&');
}

type ListedRow = Omit<ManagedInvite, 'conversation'> & {
  micros: string;
  conversationId: string | null;
  visitorId: string;
  visitorName: string;
};

/** One page, newest first. Each desk is read by the index on it. */
export async function readInvitePage(
  db: Db,
  chosen: Chosen,
  after: AfterInvite | undefined,
): Promise<{ rows: ManagedInvite[]; next: string | null }> {
  const inState = chosen.state === undefined ? sql`true` : STATE[chosen.state];
  const follows = after
    ? sql`(i.created_at, i.id)
        < (timestamptz 'epoch' + ${after.createdAt}::float8 * interval '1 microsecond', ${after.id}::uuid)`
    : sql`true`;
  const desks = await readDesksShown(db, chosen);
  const page = (atDesk: Sql) => sql`
      select ${COLUMNS}, ${micros('i.created_at')} as micros
      from invites i where ${matches(chosen, atDesk)} and ${inState} and ${follows}
      order by i.created_at desc, i.id desc limit ${INVITES_PAGE + 1}`;
  const pages =
    desks === null
      ? page(sql`true`)
      : sql`select q.* from unnest(${desks}::text[]) as d (alias)
        cross join lateral (${page(sql`i.handler_alias = d.alias`)}) q
        order by q.micros::bigint desc, q.id desc limit ${INVITES_PAGE + 1}`;
  const found = await rows<ListedRow>(db)`
    select p.*, c.id as "conversationId", c.visitor_id as "visitorId", c.visitor_name as "visitorName"
    from (${pages}) p left join conversations c on c.invite_id = p.id
    order by p.micros::bigint desc, p.id desc`;
  const last = found.length > INVITES_PAGE ? found[INVITES_PAGE - 1] : undefined;
  return {
    rows: found
      .slice(0, INVITES_PAGE)
      .map(({ micros: _, conversationId, visitorId, visitorName, ...invite }) => ({
        ...invite,
        conversation: conversationId === null ? null : { id: conversationId, visitorId, visitorName },
      })),
    next: last === undefined ? null : `${last.micros}_${last.id}`,
  };
}

/**
 * Inserts a chunk in one statement. Each invite is a microsecond older than the previous one, so that the list keeps
 * their order. A repeated request renews the link of an unopened invite, unless a later attempt or a manual
 * replacement came first. Returns fewer rows than requested if an id is taken by someone else or is no longer
 * renewable.
 */
export function insertInvites(
  db: Db,
  made: {
    batchId: string;
    attempt: number;
    creator: Manager;
    drafts: readonly (InviteDraft & { tokenHash: Buffer })[];
  },
): Promise<{ id: string; expiresAt: number; fresh: boolean }[]> {
  const { batchId, attempt, creator, drafts } = made;
  const [staffId, keyId] = creator.kind === 'key' ? [null, creator.keyId] : [creator.staffId, null];
  return rows<{ id: string; expiresAt: number; fresh: boolean }>(db)`
    insert into invites as i (id, token_hash, label, handler_alias, keep_days, batch_id, created_by, created_by_key,
      attempt, created_at, expires_at)
    select d.id, d.token_hash, d.label, d.alias, d.keep_days, ${batchId}, ${staffId}::uuid, ${keyId}::uuid, ${attempt},
      now() - d.place * interval '1 microsecond', now() + make_interval(days => d.days)
    from unnest(
      ${drafts.map(({ id }) => id)}::uuid[], ${drafts.map(({ tokenHash }) => tokenHash)}::bytea[],
      ${drafts.map(({ label }) => label)}::text[], ${drafts.map(({ alias }) => alias)}::text[],
      ${drafts.map(({ days }) => days)}::integer[], ${drafts.map(({ keepDays }) => keepDays)}::integer[]
    ) with ordinality as d (id, token_hash, label, alias, days, keep_days, place)
    on conflict (id) do update set token_hash = excluded.token_hash, attempt = excluded.attempt
      where i.batch_id = excluded.batch_id and i.created_by is not distinct from excluded.created_by
        and i.created_by_key is not distinct from excluded.created_by_key and i.state = 'NEW'
        and i.attempt < excluded.attempt
    returning i.id, ${millis('i.expires_at')} as "expiresAt", i.xmax = 0 as fresh`;
}
