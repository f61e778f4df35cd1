import {
  type AdminRow,
  CONVERSATION_COUNT_MAX,
  CONVERSATION_PAGE,
  type ConversationCounts,
} from '@settee/protocol/calls/conversationAdminCalls';
import type { ConversationStatus } from '@settee/protocol/model/conversation';
import type { Reach } from '../access/access.store.ts';
import type { Database } from '../platform/db/database.ts';
import { millis } from '../platform/db/query.ts';
import { queryWithTimeout } from '../platform/db/statementTimeout.ts';
import { QUEUE_COLUMNS } from './queue.store.ts';

type Show = ConversationStatus | 'waiting';
type Wanted = {
  show?: Show | undefined;
  /** Null: all. */
  desks: Reach;
  q?: string | undefined;
  /** The last row of the previous page. */
  after?: { at: Date; id: string } | undefined;
};

/** Open conversations are sorted by last message, which has no index; ended ones by their end, which has. */
const SPOKE_AT = 'c.last_message_at::timestamptz(3)';
const ENDED_AT = 'c.closed_at::timestamptz(3)';

const OF_DESK = '($1::text[] is null or c.handler_alias = any ($1))';
const FOLLOWS = (at: string) => `${at} <= $2 and (${at} < $2 or c.id > $3)`;

/** Closed and blocked ones have one index per desk, and one with the status for all desks. */
type Part = Show | 'ended';

const FITS: Record<Part | 'all', string> = {
  open: "c.status = 'open'",
  waiting: "c.status = 'open' and c.waiting_since is not null",
  closed: "c.status = 'closed'",
  blocked: "c.status = 'blocked'",
  ended: "c.status <> 'open'",
  all: 'true',
};

/**
 * The newest of one kind. Open conversations are few and sorted. Ended ones are read in the order of
 * conversations_ended_anywhere, or for each desk of conversations_ended, so only the shown rows are read. Blocked ones
 * are too few for that: of a desk, all that are closed would be read.
 */
const part = (show: Part, where: string, desks: Reach) => {
  const at = show === 'open' || show === 'waiting' ? SPOKE_AT : ENDED_AT;
  const inOrder = (ofDesk: string) => `
    select c.id, c.visitor_id, c.visitor_name, c.invite_id, ${at} as at from conversations c
    where ${FITS[show]} and ${ofDesk} and ${FOLLOWS(at)} order by ${at} desc, c.id`;
  if (where === '' && desks !== null && show !== 'blocked') {
    return `(select q.* from unnest($1::text[]) as d (alias)
      cross join lateral (${inOrder('c.handler_alias = d.alias')} limit $4) q order by q.at desc, q.id limit $4)`;
  }
  // `offset 0` keeps the planner from merging the two, so only as many rows as needed are checked.
  return where === ''
    ? `(${inOrder(OF_DESK)} limit $4)`
    : `(select * from (${inOrder(OF_DESK)} offset 0) c where ${where} limit $4)`;
};

function kindsOf(show: Show | 'all', desks: Reach): Part[] {
  if (show !== 'all') return [show];
  return desks === null ? ['open', 'closed', 'blocked'] : ['open', 'ended'];
}

const parts = (show: Show | 'all', desks: Reach, where = '') =>
  kindsOf(show, desks)
    .map((each) => part(each, where, desks))
    .join(' union all ');

const page = (keys: string) => `
  select ${QUEUE_COLUMNS.text}, c.handler_alias as "handlerAlias", c.status,
    ${millis('c.closed_at').text} as "closedAt", p.at
  from (select id, at from (${keys}) k order by at desc, id limit $4) p join conversations c on c.id = p.id
  order by p.at desc, p.id`;

/** Each search term may be the beginning of a word in a name or an invite's label. */
const WORDS = `(select string_agg('''' || word || ''':*', ' & ')::tsquery
  from string_to_table(nullif(search_words($5), ''), ' ') as word)`;

const FOUND = `
  select c.id from conversations c where name_vector(c.visitor_name) @@ ${WORDS}
  union all
  select c.id from invites i join conversations c on c.invite_id = i.id where name_vector(i.label) @@ ${WORDS}
  union all
  select c.id from conversations c where c.id between $6::uuid and $7::uuid
  union all
  select c.id from devices d join conversations c on c.id = d.conversation_id and c.visitor_id = d.visitor_id
  where d.visitor_id between $6::uuid and $7::uuid`;

/** Rare terms: find by index, then filter and sort. */
const byWords = (show: Show | 'all') => `
  select c.id, a.at from (select distinct id from (${FOUND}) f) f join conversations c on c.id = f.id
  cross join lateral (select case when c.status = 'open' then ${SPOKE_AT} else ${ENDED_AT} end as at) a
  where ${FITS[show]} and ${OF_DESK} and ${FOLLOWS('a.at')}`;

/**
 * Common terms: check the newest conversations one by one. The label is a scalar subquery, because `exists` was
 * planned as a scan of all matching labels.
 */
const HAS_WORDS = `(name_vector(c.visitor_name) @@ ${WORDS} or c.id between $6::uuid and $7::uuid
  or c.visitor_id between $6::uuid and $7::uuid
  or (select name_vector(i.label) @@ ${WORDS} from invites i where i.id = c.invite_id))`;

const COMMON = 10_000;
const COUNT = `select count(*)::integer as count from (${FOUND} limit ${COMMON + 1}) f`
  // The same query without a page.
  .replaceAll('$5', '$1')
  .replaceAll('$6', '$2')
  .replaceAll('$7', '$3');

const LIMITS = { ms: 3_000, settings: 'set local jit = off' };
/** Checking the newest succeeds fast or not at all. */
const BRIEF = { ...LIMITS, ms: 1_000 };
/** For the second attempt; still within the page's timeout. */
const PATIENT = { ...LIMITS, ms: 8_000 };

const countOf = (show: Show) => `(select count(*)::integer from (
  select 1 from conversations c where ${FITS[show]} and ${OF_DESK} limit ${CONVERSATION_COUNT_MAX}
) c) as ${show}`;
const COUNTS = `select ${(['open', 'waiting', 'closed', 'blocked'] as const).map(countOf).join(', ')}`;

/** Counts per kind, at these desks, up to the cap. Undefined on timeout. */
export async function countConversations(
  db: Database,
  desks: Reach,
): Promise<ConversationCounts | undefined> {
  const query = { text: COUNTS, values: [desks] };
  const rows = await queryWithTimeout<ConversationCounts>(db, BRIEF, query);
  return rows?.[0];
}

/** A page of conversations at these desks, newest first. Undefined on timeout. */
export async function listConversations(
  db: Database,
  { show, desks, q, after }: Wanted,
): Promise<{ rows: AdminRow[]; next: string | null } | undefined> {
  const which = show ?? 'all';
  const values: unknown[] = [desks, after?.at ?? 'infinity', after?.id, CONVERSATION_PAGE + 1];
  let keys = parts(which, desks);
  let common = false;
  if (q !== undefined) {
    // PostgreSQL text cannot contain NUL.
    const words = [q.replaceAll('\0', ' '), ...(idRange(q) ?? [null, null])];
    const query = { text: COUNT, values: words };
    const [found] = (await queryWithTimeout<{ count: number }>(db, LIMITS, query)) ?? [];
    if (found === undefined) return undefined;
    common = found.count > COMMON;
    keys = common ? parts(which, desks, HAS_WORDS) : byWords(which);
    values.push(...words);
  }
  const read = (limits: typeof LIMITS, from: string) =>
    queryWithTimeout<AdminRow & { at: Date }>(db, limits, { text: page(from), values });
  // Most matches may be of another kind than the one searched.
  const rows = common
    ? ((await read(BRIEF, keys)) ?? (await read(PATIENT, byWords(which))))
    : await read(LIMITS, keys);
  const shown = rows?.slice(0, CONVERSATION_PAGE);
  const last = shown?.at(-1);
  return (
    rows &&
    shown && {
      rows: shown.map(({ at: _, ...row }) => row),
      next: rows.length > shown.length && last ? `${last.at.getTime()}_${last.conversationId}` : null,
    }
  );
}

/** Fewer digits are treated as text. */
const DIGITS_MIN = 4;
const DIGITS = 32;

/** The range of ids with this prefix. Also accepts the label of an unnamed visitor, V-8F3A21C0. */
function idRange(text: string): [from: string, to: string] | undefined {
  const digits = text.trim().toLowerCase().replace(/^v-/, '').replaceAll('-', '');
  if (!/^[0-9a-f]+$/.test(digits) || digits.length < DIGITS_MIN || digits.length > DIGITS) return undefined;
  return [asId(digits.padEnd(DIGITS, '0')), asId(digits.padEnd(DIGITS, 'f'))];
}

function asId(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
