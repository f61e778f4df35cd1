import {
  INVITES_PAGE,
  type InviteCounts,
  type InviteDraft,
  type ListedState,
  type ManagedInvite,
} from '@settee/protocol/model/managedInvite';
import { CompiledQuery, type Kysely } from 'kysely';
import type { Database } from '../engine/database.ts';
import type { Tables } from '../engine/tables.ts';

type Queries = Kysely<Tables>;

/** Filters of the invite list. */
export type Chosen = {
  state?: ListedState | undefined;
  alias?: string | undefined;
  search?: string | undefined;
};

/** The last row of the previous page. In microseconds, because invites of one bulk are that close. */
export type AfterInvite = { createdAt: string; id: string };

const EXPIRED = "i.state in ('NEW', 'SEEN') and i.expires_at <= now()";

const STATE: Record<ListedState, string> = {
  NEW: "i.state = 'NEW' and i.expires_at > now()",
  SEEN: "i.state = 'SEEN' and i.expires_at > now()",
  BOUND: "i.state = 'BOUND'",
  REVOKED: "i.state = 'REVOKED'",
  EXPIRED,
};

const STATES = Object.keys(STATE) as ListedState[];

const ms = (column: string) => `floor(extract(epoch from i.${column}) * 1000)::float8`;

const COLUMNS = `i.id, i.label, case when ${EXPIRED} then 'EXPIRED' else i.state end as state,
  i.handler_alias as "handlerAlias", ${ms('created_at')} as "createdAt", ${ms('expires_at')} as "expiresAt",
  ${ms('seen_at')} as "seenAt", ${ms('bound_at')} as "boundAt", ${ms('revoked_at')} as "revokedAt",
  i.keep_days as "keepDays"`;

/** SQL conditions for handler and label. */
function conditions({ alias, search }: Chosen, values: unknown[]): string[] {
  const where: string[] = [];
  if (alias !== undefined) where.push(`i.handler_alias = $${values.push(alias)}`);
  // Written exactly as in the index.
  if (search) where.push(`lower(i.label) like $${values.push(`%${escapeLike(search.toLowerCase())}%`)}`);
  return where;
}

function escapeLike(words: string): string {
  return words.replace(/[\\%_]/g, '\\$&');
}

const all = (where: string[]) => (where.length === 0 ? '' : `where ${where.join(' and ')}`);

/** One page, newest first. */
export async function readInvitePage(
  db: Database,
  chosen: Chosen,
  after: AfterInvite | undefined,
): Promise<{ rows: ManagedInvite[]; next: string | null }> {
  const values: unknown[] = [];
  const where = conditions(chosen, values);
  if (chosen.state !== undefined) where.push(STATE[chosen.state]);
  if (after !== undefined) {
    const at = `timestamptz 'epoch' + $${values.push(after.createdAt)}::float8 * interval '1 microsecond'`;
    where.push(`(i.created_at, i.id) < (${at}, $${values.push(after.id)}::uuid)`);
  }
  const { rows } = await db.pool.query<
    Omit<ManagedInvite, 'conversation'> & {
      micros: string;
      conversationId: string | null;
      visitorId: string;
      visitorName: string;
    }
  >(
    `select p.*, c.id as "conversationId", c.visitor_id as "visitorId", c.visitor_name as "visitorName"
     from (
       select ${COLUMNS}, (extract(epoch from i.created_at) * 1000000)::bigint::text as micros
       from invites i ${all(where)}
       order by i.created_at desc, i.id desc limit $${values.push(INVITES_PAGE + 1)}
     ) p left join conversations c on c.invite_id = p.id
     order by p.micros::bigint desc, p.id desc`,
    values,
  );
  const last = rows.length > INVITES_PAGE ? rows[INVITES_PAGE - 1] : undefined;
  return {
    rows: rows
      .slice(0, INVITES_PAGE)
      .map(({ micros: _, conversationId, visitorId, visitorName, ...invite }) => ({
        ...invite,
        conversation: conversationId === null ? null : { id: conversationId, visitorId, visitorName },
      })),
    next: last === undefined ? null : `${last.micros}_${last.id}`,
  };
}

/** Counts per state, with the same filters. */
export async function countInvites(db: Database, chosen: Chosen): Promise<InviteCounts> {
  const values: unknown[] = [];
  const where = conditions(chosen, values);
  const counts = STATES.map((state) => `count(*) filter (where ${STATE[state]})::integer as "${state}"`);
  const { rows } = await db.pool.query<InviteCounts>(
    `select ${counts.join(', ')} from invites i ${all(where)}`,
    values,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a count without a row');
  return row;
}

/**
 * Inserts a chunk in one statement. Each invite is a microsecond older than the previous one, so that the list keeps
 * their order. A repeated request renews the link of an unopened invite, unless a later attempt or a manual
 * replacement came first. Returns fewer rows than requested if an id is taken by someone else or is no longer
 * renewable.
 */
export async function insertInvites(
  db: Queries,
  made: {
    batchId: string;
    attempt: number;
    createdBy: string;
    drafts: readonly (InviteDraft & { tokenHash: Buffer })[];
  },
): Promise<{ id: string; expiresAt: number; fresh: boolean }[]> {
  const { batchId, attempt, createdBy, drafts } = made;
  const { rows } = await db.executeQuery<{ id: string; expiresAt: number; fresh: boolean }>(
    CompiledQuery.raw(
      `insert into invites as i (id, token_hash, label, handler_alias, keep_days, batch_id, created_by, attempt, created_at, expires_at)
       select d.id, d.token_hash, d.label, d.alias, d.keep_days, $1, $2, $9,
         now() - d.place * interval '1 microsecond', now() + make_interval(days => d.days)
       from unnest($3::uuid[], $4::bytea[], $5::text[], $6::text[], $7::integer[], $8::integer[])
         with ordinality as d (id, token_hash, label, alias, days, keep_days, place)
       on conflict (id) do update set token_hash = excluded.token_hash, attempt = excluded.attempt
         where i.batch_id = excluded.batch_id and i.created_by = excluded.created_by and i.state = 'NEW'
           and i.attempt < excluded.attempt
       returning i.id, ${ms('expires_at')} as "expiresAt", i.xmax = 0 as fresh`,
      [
        batchId,
        createdBy,
        drafts.map(({ id }) => id),
        drafts.map(({ tokenHash }) => tokenHash),
        drafts.map(({ label }) => label),
        drafts.map(({ alias }) => alias),
        drafts.map(({ days }) => days),
        drafts.map(({ keepDays }) => keepDays),
        attempt,
      ],
    ),
  );
  return rows;
}
