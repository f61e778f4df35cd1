import { randomUUID } from 'node:crypto';
import { signStaff, signVisitor, systemClock } from '../../server/testing/installation.ts';
import { type Config, readConfig, type Staff } from '../../server/testing/rules.ts';
import type { BenchDatabase } from './stage.ts';

const STAFF_NAME = 'Staff';

/** A claimed conversation and its visitor. */
export type Claimed = { conversationId: string; visitorId: string; credential: Buffer; alias: string };

/** A signed-in user: the token for a page's hello, and the conversations to watch. */
export type SignedIn = { token: string; conversationIds: string[] };

/** Desks named desk-0, desk-1 … */
export async function seedDesks(database: BenchDatabase, count: number): Promise<string[]> {
  const rows = await database.run<{ alias: string }>(
    `insert into handlers (alias) select 'desk-' || n from generate_series(0, $1::int - 1) n
     on conflict do nothing returning alias`,
    [count],
  );
  return rows.map(({ alias }) => alias);
}

/**
 * Claimed conversations, distributed over the desks in turn, with one device each. `heads` has one entry per
 * conversation: the number of its last message.
 */
export async function seedConversations(
  database: BenchDatabase,
  desks: readonly string[],
  heads: readonly number[],
): Promise<Claimed[]> {
  return database.run<Claimed>(
    `with fresh as (
       select gen_random_uuid() as id, gen_random_uuid() as invite_id, gen_random_uuid() as visitor_id,
         head, ($1::text[])[1 + n % cardinality($1)] as alias
       from unnest($2::int[]) with ordinality as given (head, n)
     ), invited as (
       insert into invites (id, token_hash, handler_alias, state, expires_at, bound_at)
       select invite_id, sha256(invite_id::text::bytea), alias, 'BOUND', now() + interval '30 days', now()
       from fresh
     ), opened as (
       insert into conversations (id, invite_id, handler_alias, visitor_id, visitor_name, last_seq)
       select id, invite_id, alias, visitor_id, 'Visitor', head from fresh
     ), attached as (
       insert into devices (conversation_id, visitor_id, credential, first)
       select id, visitor_id, sha256(visitor_id::text::bytea), true from fresh
     )
     select id as "conversationId", visitor_id as "visitorId", sha256(visitor_id::text::bytea) as credential, alias
     from fresh`,
    [desks, heads],
  );
}

/** What signs tokens. A number is the port of a gateway with the configuration of the bench. */
export type Signing = number | Pick<Config, 'secret' | 'publicUrl'>;

/** The configuration for signing tokens and for the gateway. */
export function benchConfig(port: number): Exclude<Signing, number> {
  return readConfig({
    DATABASE_URL: 'postgres://unused',
    SECRET: 'a secret of the bench, long enough to pass',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  });
}

export async function signInVisitor(
  signing: Signing,
  { visitorId, credential, conversationId }: Claimed,
): Promise<SignedIn> {
  const { idToken } = await signVisitor(needs(signing), { kind: 'visitor', visitorId, credential });
  return { token: idToken, conversationIds: [conversationId] };
}

/** A signed-in handler of a desk who watches these conversations. */
export async function signInHandler(
  signing: Signing,
  database: BenchDatabase,
  alias: string,
  conversationIds: string[],
): Promise<SignedIn> {
  const { token } = await signInStaff(signing, database, { role: 'handler', alias });
  return { token, conversationIds };
}

export async function signInAdministrator(signing: Signing, database: BenchDatabase): Promise<string> {
  return (await signInStaff(signing, database, { role: 'admin', alias: null })).token;
}

/** A new staff member with a session that has passed the second factor. */
export async function signInStaff(
  signing: Signing,
  database: BenchDatabase,
  { role, alias }: { role: Staff['role']; alias: string | null },
): Promise<{ token: string; staffId: string }> {
  const [session] = await database.run<{ staffId: string; sessionId: string }>(
    `with member as (
       insert into staff (email, name, password_hash, role, alias) values ($1, $2, '', $3, $4) returning id
     )
     insert into staff_sessions (token_hash, staff_id, expires_at, second_factor_at)
     select sha256(id::text::bytea), id, now() + interval '1 day', now() from member
     returning id as "sessionId", staff_id as "staffId"`,
    [`${randomUUID()}@bench.example`, STAFF_NAME, role, alias],
  );
  if (session === undefined) throw new Error('the session was not inserted');
  const { idToken } = await signStaff(needs(signing), {
    kind: 'staff',
    ...session,
    name: STAFF_NAME,
    role,
    alias,
    desks: [],
    away: false,
    verified: true,
    enrolBy: null,
    overdue: false,
  });
  return { token: idToken, staffId: session.staffId };
}

function needs(signing: Signing) {
  const config = typeof signing === 'number' ? benchConfig(signing) : signing;
  return { config: config as Config, clock: systemClock };
}
