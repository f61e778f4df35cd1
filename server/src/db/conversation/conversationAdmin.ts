import {
  type AdminRow,
  CONVERSATION_COUNT_MAX,
  CONVERSATION_PAGE,
  type ConversationCounts,
} from '@settee/protocol/calls/conversationAdminCalls';
import type { ConversationStatus } from '@settee/protocol/model/conversation';
import type { Database } from '../engine/database.ts';
import { queryWithTimeout } from '../engine/statementTimeout.ts';
import { QUEUE_COLUMNS, withWholeMs } from './queue.ts';

type Show = ConversationStatus | 'waiting';
type Wanted = {
  show?: Show | undefined;
  alias?: string | undefined;
  q?: string | undefined;
  /** The row that the page follows. */
  after?: { at: Date; id: string } | undefined;
};

/** While it is open, when it last spoke, which is in no index; after that, when it ended, which is. */
const SPOKE_AT = 'c.last_message_at::timestamptz(3)';
const ENDED_AT = 'c.closed_at::timestamptz(3)';

const OF_DESK = '($1::text is null or c.handler_alias = $1)';
const FOLLOWS = (at: string) => `${at} <= $2 and (${at} < $2 or c.id > $3)`;

const FITS: Record<Show | 'all', string> = {
  open: "c.status = 'open'",
  waiting: "c.status = 'open' and c.waiting_since is not null",
  closed: "c.status = 'closed'",
  blocked: "c.status = 'blocked'",
  all: 'true',
};

/**
 * The newest of one kind, in its own order. Open ones are few enough to be sorted, by keys alone, and are found by
 * conversations_queue. What has ended comes in the order of conversations_ended_anywhere, or for one desk of
 * conversations_ended: no more rows are read than are shown.
 */
const part = (show: Show, where: string) => {
  const at = show === 'open' || show === 'waiting' ? SPOKE_AT : ENDED_AT;
  const inOrder = `select c.id, c.visitor_id, c.visitor_name, c.invite_id, ${at} as at from conversations c
    where ${FITS[show]} and ${OF_DESK} and ${FOLLOWS(at)} order by ${at} desc, c.id`;
  // `offset 0` keeps the two apart: only as many are looked into as it takes to find a page.
  return where === ''
    ? `(${inOrder} limit $4)`
    : `(select * from (${inOrder} offset 0) c where ${where} limit $4)`;
};

const parts = (show: Show | 'all', where = '') =>
  (show === 'all' ? (['open', 'closed', 'blocked'] as const) : [show])
    .map((each) => part(each, where))
    .join(' union all ');

const page = (keys: string) => `
  select ${QUEUE_COLUMNS}, c.handler_alias as "handlerAlias", c.status,
    floor(extract(epoch from c.closed_at) * 1000)::float8 as "closedAt", p.at
  from (select id, at from (${keys}) k order by at desc, id limit $4) p join conversations c on c.id = p.id
  order by p.at desc, p.id`;

/** The words of a search: each may be the beginning of one in a name, or in an invite's label. */
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

/** What few conversations have is found by its words, filtered and sorted. */
const byWords = (show: Show | 'all') => `
  select c.id, a.at from (select distinct id from (${FOUND}) f) f join conversations c on c.id = f.id
  cross join lateral (select case when c.status = 'open' then ${SPOKE_AT} else ${ENDED_AT} end as at) a
  where ${FITS[show]} and ${OF_DESK} and ${FOLLOWS('a.at')}`;

/**
 * What very many have is among the newest: those are looked through, one after the other. The label is asked for by a
 * subquery that yields a value: `exists` was planned as a table of all labels that fit.
 */
const HAS_WORDS = `(name_vector(c.visitor_name) @@ ${WORDS} or c.id between $6::uuid and $7::uuid
  or c.visitor_id between $6::uuid and $7::uuid
  or (select name_vector(i.label) @@ ${WORDS} from invites i where i.id = c.invite_id))`;

const COMMON = 10_000;
const COUNT = `select count(*)::integer as count from (${FOUND} limit ${COMMON + 1}) f`
  // The same question without a page.
  .replaceAll('$5', '$1')
  .replaceAll('$6', '$2')
  .replaceAll('$7', '$3');

/** The longest that one question may keep PostgreSQL busy. */
const LIMITS = { ms: 3_000, settings: 'set local jit = off' };
/** Looking through the newest takes a tenth of that, or leads nowhere. */
const BRIEF = { ...LIMITS, ms: 1_000 };
/** For the second way, when the first has led nowhere; with it the page still has its answer before it gives up. */
const PATIENT = { ...LIMITS, ms: 8_000 };

const countOf = (show: Show) => `(select count(*)::integer from (
  select 1 from conversations c where ${FITS[show]} and ${OF_DESK} limit ${CONVERSATION_COUNT_MAX}
) c) as ${show}`;
const COUNTS = `select ${(['open', 'waiting', 'closed', 'blocked'] as const).map(countOf).join(', ')}`;

/** How many there are of each kind at every desk, or at one, up to the cap. Undefined when it took too long. */
export async function countConversations(
  db: Database,
  alias: string | undefined,
): Promise<ConversationCounts | undefined> {
  const rows = await queryWithTimeout<ConversationCounts>(db, BRIEF, COUNTS, [alias ?? null]);
  return rows?.[0];
}

/** A page of conversations at every desk, or at one, newest first. Undefined when the search took too long. */
export async function listConversations(
  db: Database,
  { show, alias, q, after }: Wanted,
): Promise<{ rows: AdminRow[]; next: string | null } | undefined> {
  const which = show ?? 'all';
  const values: unknown[] = [alias ?? null, after?.at ?? 'infinity', after?.id, CONVERSATION_PAGE + 1];
  let keys = parts(which);
  let common = false;
  if (q !== undefined) {
    // PostgreSQL's text cannot hold it.
    const words = [q.replaceAll('\0', ' '), ...(idRange(q) ?? [null, null])];
    const [found] = (await queryWithTimeout<{ count: number }>(db, LIMITS, COUNT, words)) ?? [];
    if (found === undefined) return undefined;
    common = found.count > COMMON;
    keys = common ? parts(which, HAS_WORDS) : byWords(which);
    values.push(...words);
  }
  const read = (limits: typeof LIMITS, from: string) =>
    queryWithTimeout<AdminRow & { at: Date }>(db, limits, page(from), values);
  // Nearly all that have the word may be of another kind than the one looked through: open ones, for those closed.
  const rows = common
    ? ((await read(BRIEF, keys)) ?? (await read(PATIENT, byWords(which))))
    : await read(LIMITS, keys);
  const shown = rows?.slice(0, CONVERSATION_PAGE);
  const last = shown?.at(-1);
  return (
    rows &&
    shown && {
      rows: shown.map(({ at: _, ...row }) => ({ ...row, ...withWholeMs(row) })),
      next: rows.length > shown.length && last ? `${last.at.getTime()}_${last.conversationId}` : null,
    }
  );
}

/** So many digits of an id tell it from others; fewer are rather a word. */
const DIGITS_MIN = 4;
const DIGITS = 32;

/** The ids that begin like this, or like the label of a visitor without a name, V-8F3A21C0. */
function idRange(text: string): [from: string, to: string] | undefined {
  const digits = text.trim().toLowerCase().replace(/^v-/, '').replaceAll('-', '');
  if (!/^[0-9a-f]+$/.test(digits) || digits.length < DIGITS_MIN || digits.length > DIGITS) return undefined;
  return [asId(digits.padEnd(DIGITS, '0')), asId(digits.padEnd(DIGITS, 'f'))];
}

function asId(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
