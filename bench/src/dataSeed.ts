import { inSlices, insertMessages, settle, words } from './bulk.ts';
import { seedDesks } from './people.ts';
import type { BenchDatabase } from './stage.ts';

/** How much an installation has stored. The number of open conversations depends on its traffic, not on its age. */
export type DataSize = { desks: number; openAtLargest: number; openAtOthers: number; conversations: number };

export const LARGEST_DESK = 'desk-0';
export const MESSAGES_EACH = 17;
const DAYS = 90;
/** One in six ended conversations is at the largest desk. */
const LARGEST_SHARE = 6;
/** Conversations per statement. */
const SLICE = 1_000;

/** In about one message of three. */
export const COMMON = 'thanks';
/** In about one message of four hundred. */
export const UNCOMMON = 'invoice';
/** Every this many messages of a conversation, one has a word of its own. */
const RARE_EVERY = 8;

const PHRASES = 4_000;
const WORDS_MAX = 14;

/** Adds data, until there are this many conversations and as much else as such an installation has. */
export async function seedData(database: BenchDatabase, size: DataSize): Promise<void> {
  const { desks, openAtLargest, openAtOthers, conversations } = size;
  const [before] = await database.run<{ n: number }>('select count(*)::integer as n from conversations');
  let stored = before?.n ?? 0;
  if (stored === 0) {
    const others = (await seedDesks(database, desks)).filter((alias) => alias !== LARGEST_DESK);
    const owners = [
      ...Array<string>(openAtLargest).fill(LARGEST_DESK),
      ...others.flatMap((alias) => Array<string>(openAtOthers).fill(alias)),
    ];
    await seed(database, owners, true);
    stored = owners.length;
  }
  const ended = Array.from({ length: conversations - stored }, (_, n) =>
    n % LARGEST_SHARE === 0 ? LARGEST_DESK : `desk-${1 + (n % (desks - 1))}`,
  );
  await seed(database, ended, false);
  await seedRecords(database, size);
}

/** Writes conversations, their messages and their search entries, without the append function and the indexer. */
async function seed(database: BenchDatabase, owners: readonly string[], open: boolean): Promise<void> {
  // Building the index once is much faster than adding millions of entries.
  const [index] = await database.run<{ definition: string }>(
    `select indexdef as definition from pg_indexes where indexname = 'search_entries_words'`,
  );
  await database.run('drop index search_entries_words');
  const texts = phrases();
  await inSlices(database, owners, SLICE, async (client, slice, at) => {
    const { rows } = await client.query<{ id: string }>(CONVERSATIONS, [slice, at, owners.length, open]);
    const ids = rows.map(({ id }) => id);
    await client.query(MESSAGES, [ids, texts]);
    await client.query(ENTRIES, [ids]);
    await client.query(HEADS, [ids]);
  });
  await inSlices(database, [index?.definition ?? ''], 1, async (client, [definition = '']) => {
    await client.query(`set maintenance_work_mem = '1GB'`);
    await client.query(definition);
  });
  await settle(database, '(analyze)');
}

/** Ended ones are distributed evenly over the days. Open ones began in the last five days. */
const CONVERSATIONS = `
with fresh as (
  select gen_random_uuid() as id, gen_random_uuid() as invite_id, gen_random_uuid() as visitor_id, alias, $2 + n as n,
    case when $4 then now() - interval '5 days' * (abs(hashint8($2 + n)) % 1000) / 1000
      else now() - interval '1 hour' - interval '${DAYS} days' * ($3 - $2 - n)::float8 / $3 end as last_at
  from unnest($1::text[]) with ordinality as given (alias, n)
), invited as (
  insert into invites (id, token_hash, label, handler_alias, state, created_at, expires_at, seen_at, bound_at)
  select invite_id, sha256(invite_id::text::bytea), 'Campaign ' || n % 500, alias, 'BOUND', last_at - interval '2 hours',
    last_at + interval '30 days', last_at - interval '2 hours', last_at - interval '2 hours' from fresh
)
insert into conversations (id, invite_id, handler_alias, visitor_id, visitor_name, status, created_at, closed_at,
  last_message_at, last_seq, preview, preview_from_owner, first_asked_at, first_replied_at)
select id, invite_id, alias, visitor_id, 'Ada Visitor' || n, case when $4 then 'open' else 'closed' end,
  last_at - interval '1 hour', case when not $4 then date_trunc('milliseconds', last_at) + interval '1 minute' end,
  last_at, ${MESSAGES_EACH}, 'A word to end with', n % 5 > 0, last_at - interval '1 hour', last_at - interval '50 minutes'
from fresh order by n returning id`;

/** A phrase from the list, and sometimes a word that no other conversation has. */
const MESSAGES = insertMessages(
  `($2::text[])[1 + abs(hashtext(c.id::text || s.seq)) % cardinality($2::text[])]
    || case when s.seq % ${RARE_EVERY} = 0 then ' ref' || left(c.id::text, 8) else '' end`,
  'c.last_message_at - make_interval(secs => 3600.0 * (c.last_seq - s.seq) / c.last_seq)',
);

const ENTRIES = `
insert into search_entries (conversation_id, seq, created_at, words)
select m.conversation_id, m.seq, m.created_at, search_vector(search_key(c.handler_alias, 'message'), m.text)
from conversations c join messages m on m.conversation_id = c.id where c.id = any ($1)
union all
select c.id, 0, c.created_at, search_vector(search_key(c.handler_alias, 'name'), i.label || ' ' || c.visitor_name)
from conversations c join invites i on i.id = c.invite_id where c.id = any ($1)`;

const HEADS = `
insert into search_heads (conversation_id, seq, alias, visitor_name)
select id, last_seq, handler_alias, visitor_name from conversations where id = any ($1)`;

/** The same in every run. */
function phrases(): string[] {
  return Array.from({ length: PHRASES }, (_, n) => [
    ...words(n + 1, 2, WORDS_MAX),
    ...(n % 3 === 0 ? [COMMON] : []),
    ...(n % 400 === 1 ? [UNCOMMON] : []),
  ]).map((phrase) => phrase.join(' '));
}

/** For 300,000 conversations: 80,000 invites that nobody claimed, and a million entries of the audit log. */
const UNUSED = 80 / 300;
const AUDITED = 1_000 / 300;
/** More than one call searches, so that the call is as long at both sizes. */
const AUDITED_MIN = 60_000;

/** Unclaimed invites and entries of the audit log. */
async function seedRecords(database: BenchDatabase, { desks, conversations }: DataSize): Promise<void> {
  await database.run(UNCLAIMED, [desks, Math.round(conversations * UNUSED)]);
  await database.run('alter table audit disable trigger user');
  await database.run('alter table audit_head disable trigger user');
  await database.run(AUDIT, [Math.max(AUDITED_MIN, Math.round(conversations * AUDITED))]);
  await database.run('update audit_head set count = (select max(id) from audit)');
  await database.run('alter table audit_head enable trigger user');
  await database.run('alter table audit enable trigger user');
  await database.run('vacuum (analyze) invites, audit, invite_counts');
}

/** A third is revoked, and half of the others have expired. */
const UNCLAIMED = `
insert into invites (token_hash, label, handler_alias, state, created_at, expires_at)
select sha256(('unclaimed ' || n)::bytea), 'Unclaimed ' || n, 'desk-' || n % $1::integer,
  (array['NEW', 'SEEN', 'REVOKED'])[1 + n % 3], now() - interval '90 days' * (n::float8 / $2::integer),
  now() + interval '60 days' * (1 - 2 * n::float8 / $2::integer)
from generate_series((select count(*)::integer + 1 from invites where state <> 'BOUND'), $2::integer) n`;

/** Without hashes: nothing here verifies the chain. */
const AUDIT = `
insert into audit (id, at, actor, action, target, details, prev, hash)
select n, now(), 'cli', (array['conversation.view', 'conversation.close', 'note.add'])[1 + n % 3],
  gen_random_uuid()::text, jsonb_build_object('alias', 'desk-' || n % 200), '', ''
from generate_series((select count + 1 from audit_head), $1::bigint) n`;
