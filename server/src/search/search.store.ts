import { type FoundConversation, type FoundMessage, SEARCH_HITS_MAX } from '@settee/protocol/model/search';
import { isWithin, type Reach } from '../access/access.store.ts';
import type { Database } from '../platform/db/database.ts';
import { millis, rows, sql } from '../platform/db/query.ts';
import { queryWithTimeout } from '../platform/db/statementTimeout.ts';

const QUERY_MS = 1_000;
/** A term that takes longer is common; then the newest entries are faster. */
const QUICK_MS = 150;
const NEWEST_MS = 300;
/** Enough for a word that one entry in 200 has. Read before the index, which has all entries of such a word. */
const NEWEST = 4_000;
const MORE_NEWEST = 50_000;

type FoundThere = FoundMessage & { handlerAlias: string };
export type Found = {
  conversations: FoundConversation[];
  messages: FoundThere[];
  /** False on timeout. */
  complete: boolean;
};

/** The queries and the desks they are for. */
const ASKED = 'unnest($1::tsquery[], $2::text[]) as q (words, alias)';
/** The index may be behind a hand-over, so the conversation decides. */
const OF_DESK = 'c.handler_alias = any ($2::text[])';
const SHARED = `c.id as "conversationId", c.visitor_id as "visitorId", c.visitor_name as "visitorName", c.status,
  c.handler_alias as "handlerAlias"`;

const withLabels = (hits: string) => `
  select ${SHARED}, i.label as "inviteLabel", ${millis('c.last_message_at').text} as "lastMessageAt"
  from (${hits} order by c.last_message_at desc, c.id limit $3) c join invites i on i.id = c.invite_id
  order by c.last_message_at desc, c.id`;

/** One lookup per query: PostgreSQL checks every hit of an 'or' against all of its terms. */
const CONVERSATIONS = withLabels(`
  select c.* from (select distinct q.words from ${ASKED}) q
  join search_entries e on e.words @@ q.words and e.seq = 0
  join conversations c on c.id = e.conversation_id
  where ${OF_DESK}`);

/**
 * The newest entries, and their conversations with the query of their desk. The newest entry of a conversation has the
 * time of its last message. With a limit, each conversation is an index lookup; otherwise all of a desk may be read.
 */
const NEWEST_ENTRIES = `
  with newest as materialized (
    select e.conversation_id, e.seq, e.created_at, e.words from search_entries e
    order by e.created_at desc, e.conversation_id, e.seq desc limit $4
  ),
  recent as materialized (
    select c.id, q.words from (select distinct n.conversation_id as id from newest n) n
    cross join lateral (select c.id, c.handler_alias from conversations c where c.id = n.id limit 1) c
    join ${ASKED} on q.alias = c.handler_alias
  )`;

/** Matches in the most recently active conversations. */
export const NEWEST_CONVERSATIONS = withLabels(`
  ${NEWEST_ENTRIES}
  select c.* from recent r
  join search_entries e on e.conversation_id = r.id and e.seq = 0 and e.words @@ r.words
  join conversations c on c.id = r.id`);

/** Texts are read last, only for the results shown. */
const withTexts = (hits: string) => `
  with hits as materialized (${hits} order by e.created_at desc, e.conversation_id, e.seq desc limit $3)
  select ${SHARED}, h.seq, case when m.from_owner then 'owner' else 'visitor' end as sender, m.text,
    case when m.from_owner then (select split_part(s.name, ' ', 1) from staff s where s.id = m.author_id) end as author,
    ${millis('m.created_at').text} as "createdAt"
  from hits h
  join conversations c on c.id = h.conversation_id
  cross join lateral (
    select m.* from messages m where m.conversation_id = h.conversation_id and m.seq = h.seq limit 1
  ) m
  order by h.created_at desc, h.conversation_id, h.seq desc`;

/** All matches by the index on words. `offset 0`: not the index on times, which would read all entries for a rare word. */
export const MESSAGES = withTexts(`
  select e.conversation_id, e.seq, e.created_at
  from (
    select e.conversation_id, e.seq, e.created_at
    from (select distinct q.words from ${ASKED}) q join search_entries e on e.words @@ q.words and e.seq > 0
    order by e.created_at desc, e.conversation_id, e.seq desc offset 0
  ) e join conversations c on c.id = e.conversation_id
  where ${OF_DESK}`);

/** Matches among the newest entries. */
export const NEWEST_MESSAGES = withTexts(`
  ${NEWEST_ENTRIES}
  select e.conversation_id, e.seq, e.created_at
  from newest e join recent r on r.id = e.conversation_id
  where e.seq > 0 and e.words @@ r.words`);

/** A search text as one query per desk. */
type Query = { desks: string[]; names: string[]; words: string[] };
/** Matching rows; undefined on timeout. */
type Ask = <Row>(
  ms: number,
  statement: string,
  queries: string[],
  entries?: number,
) => Promise<Row[] | undefined>;
type Turn = { readonly outdated: boolean };

function askUntilOutdated(db: Database, { desks }: Query, turn: Turn): Ask {
  return async (ms, text, queries, entries) => {
    if (turn.outdated) return undefined;
    const values = [queries, desks, SEARCH_HITS_MAX, ...(entries === undefined ? [] : [entries])];
    return queryWithTimeout(db, { ms, settings: SESSION }, { text, values });
  };
}

/** Names, labels and messages of the desks within reach. Stops early if the search is outdated. */
export async function searchDesks(db: Database, reach: Reach, text: string, turn: Turn): Promise<Found> {
  const query = await readQuery(db, reach, text);
  if (query === undefined) return { conversations: [], messages: [], complete: true };
  const ask = askUntilOutdated(db, query, turn);
  const conversations = await findConversations(ask, query.names);
  const { messages, complete } = await findMessages(ask, query.words);
  return { conversations: conversations ?? [], messages, complete: conversations !== undefined && complete };
}

/** Messages of the desks within reach, with their desk. */
export async function searchAllDesks(
  db: Database,
  reach: Reach,
  text: string,
  turn: Turn,
): Promise<Pick<Found, 'messages' | 'complete'>> {
  const query = await readQuery(db, reach, text);
  if (query === undefined) return { messages: [], complete: true };
  return findMessages(askUntilOutdated(db, query, turn), query.words);
}

async function findConversations(ask: Ask, names: string[]): Promise<FoundConversation[] | undefined> {
  const newest = await ask<FoundConversation>(NEWEST_MS, NEWEST_CONVERSATIONS, names, NEWEST);
  if (newest?.length === SEARCH_HITS_MAX) return newest;
  return ask<FoundConversation>(QUERY_MS, CONVERSATIONS, names);
}

/** A common word is among the newest entries. For a rare one, the index has few entries. */
async function findMessages(ask: Ask, words: string[]): Promise<Pick<Found, 'messages' | 'complete'>> {
  let newest: Found['messages'] = [];
  for (const [entries, ms] of [
    [NEWEST, QUICK_MS],
    [MORE_NEWEST, QUERY_MS],
  ] as const) {
    newest = (await ask<FoundThere>(NEWEST_MS, NEWEST_MESSAGES, words, entries)) ?? newest;
    if (newest.length === SEARCH_HITS_MAX) return { messages: newest, complete: true };
    const all = await ask<FoundThere>(ms, MESSAGES, words);
    if (all !== undefined) return { messages: all, complete: true };
  }
  return { messages: newest, complete: false };
}

/** Undefined if the text has no searchable word. */
export async function readQuery(db: Database, reach: Reach, text: string): Promise<Query | undefined> {
  // PostgreSQL text cannot contain NUL.
  const wanted = text.replaceAll('\0', ' ');
  // Reading the words takes longer than replacing the key, and there may be many desks.
  const queries = await rows<{ desk: string; names: string | null; words: string | null }>(db)`
    with asked as materialized (
      select search_query('{""}', 'name', ${wanted}) as names, search_query('{""}', 'message', ${wanted}) as words
    )
    select h.alias as desk,
      replace(a.names, '''' || search_key('', 'name'), '''' || search_key(h.alias, 'name')) as names,
      replace(a.words, '''' || search_key('', 'message'), '''' || search_key(h.alias, 'message')) as words
    from handlers h cross join asked a where ${isWithin(reach, sql`h.alias`)}`;
  if (queries.some(({ words }) => words === null)) return undefined;
  return {
    desks: queries.map(({ desk }) => desk),
    names: queries.map(({ names }) => names ?? ''),
    words: queries.map(({ words }) => words ?? ''),
  };
}

/** One process, indexes only, no JIT: estimates for new tables mislead the planner. */
export const SESSION = `set transaction read only; set local jit = off; set local max_parallel_workers_per_gather = 0;
  set local enable_seqscan = off`;
