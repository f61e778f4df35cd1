import { type FoundConversation, type FoundMessage, SEARCH_HITS_MAX } from '@settee/protocol/model/search';
import type { Database } from '../engine/database.ts';
import { one, rows } from '../engine/query.ts';
import { queryWithTimeout } from '../engine/statementTimeout.ts';

const QUERY_MS = 1_000;
/** A term that takes longer is very common; then another query is faster. */
const QUICK_MS = 150;
const RECENT_MS = 300;
const RECENT_CONVERSATIONS = 200;

export type Found = {
  conversations: FoundConversation[];
  messages: FoundMessage[];
  /** False on timeout. */
  complete: boolean;
};

/** The index may be behind a hand-over, so the conversation decides. */
const OF_DESK = '($2::text is null or c.handler_alias = $2)';
const SHARED = `c.id as "conversationId", c.visitor_id as "visitorId", c.visitor_name as "visitorName", c.status`;

const CONVERSATIONS = `
  select ${SHARED}, i.label as "inviteLabel",
    floor(extract(epoch from c.last_message_at) * 1000)::float8 as "lastMessageAt"
  from (
    select c.* from search_entries e join conversations c on c.id = e.conversation_id
    where e.words @@ $1::tsquery and e.seq = 0 and ${OF_DESK}
    order by c.last_message_at desc, c.id limit $3
  ) c join invites i on i.id = c.invite_id
  order by c.last_message_at desc, c.id`;

/** Texts are read last, only for the results shown. */
const withTexts = (hits: string) => `
  with hits as materialized (${hits} order by e.created_at desc, e.conversation_id, e.seq desc limit $3)
  select ${SHARED}, h.seq, case when m.from_owner then 'owner' else 'visitor' end as sender, m.text,
    case when m.from_owner then (select split_part(s.name, ' ', 1) from staff s where s.id = m.author_id) end as author,
    floor(extract(epoch from m.created_at) * 1000)::float8 as "createdAt"
  from hits h
  join conversations c on c.id = h.conversation_id
  cross join lateral (
    select m.* from messages m where m.conversation_id = h.conversation_id and m.seq = h.seq limit 1
  ) m
  order by h.created_at desc, h.conversation_id, h.seq desc`;

export const MESSAGES = withTexts(`
  select e.conversation_id, e.seq, e.created_at
  from search_entries e join conversations c on c.id = e.conversation_id
  where e.words @@ $1::tsquery and e.seq > 0 and ${OF_DESK}`);

/**
 * Hits in the most recently active conversations that are certainly the newest: no other conversation has a message
 * after `since`.
 */
export const NEWEST_MESSAGES = withTexts(`
  select e.conversation_id, e.seq, e.created_at
  from (
    select c.id, min(c.last_message_at) over () as since from (
      select c.id, c.last_message_at from conversations c where ${OF_DESK}
      order by c.last_message_at desc limit ${RECENT_CONVERSATIONS}
    ) c
  ) c
  cross join lateral (
    select e.* from search_entries e
    where e.conversation_id = c.id and e.seq > 0 and e.words @@ $1::tsquery
    order by e.seq desc limit $3
  ) e
  where e.created_at > c.since`);

/** Matching rows; undefined on timeout. */
type Ask = <Row>(ms: number, query: string, words: string) => Promise<Row[] | undefined>;
type Turn = { readonly outdated: boolean };

function askUntilOutdated(db: Database, alias: string | null, turn: Turn): Ask {
  return async (ms, text, words) =>
    turn.outdated
      ? undefined
      : queryWithTimeout(db, { ms, settings: SESSION }, { text, values: [words, alias, SEARCH_HITS_MAX] });
}

/** Names, labels and messages of one desk, or of all for null. Stops early if the search is outdated. */
export async function searchOneDesk(
  db: Database,
  alias: string | null,
  text: string,
  turn: Turn,
): Promise<Found> {
  const ask = askUntilOutdated(db, alias, turn);
  const { names, words } = await readQueries(db, alias, text);
  if (names === null || words === null) return { conversations: [], messages: [], complete: true };
  const conversations = await ask<FoundConversation>(QUERY_MS, CONVERSATIONS, names);
  const { messages, complete } = await findMessages(ask, words);
  return { conversations: conversations ?? [], messages, complete: conversations !== undefined && complete };
}

/** Messages of all desks, with their desk. */
export async function searchAllDesks(
  db: Database,
  text: string,
  turn: Turn,
): Promise<{ messages: (FoundMessage & { handlerAlias: string })[]; complete: boolean }> {
  const ask = askUntilOutdated(db, null, turn);
  const { words } = await readQueries(db, null, text);
  if (words === null) return { messages: [], complete: true };
  const { messages, complete } = await findMessages(ask, words);
  const ids = messages.map(({ conversationId }) => conversationId);
  const found = await rows<{ id: string; handlerAlias: string }>(db)`
    select id, handler_alias as "handlerAlias" from conversations where id = any (${ids})`;
  const desks = new Map(found.map(({ id, handlerAlias }) => [id, handlerAlias]));
  // Skip conversations erased meanwhile.
  const kept = messages.flatMap((message) => {
    const handlerAlias = desks.get(message.conversationId);
    return handlerAlias === undefined ? [] : [{ ...message, handlerAlias }];
  });
  return { messages: kept, complete };
}

/** Rare terms use the index; for common ones the newest messages are checked first. */
async function findMessages(ask: Ask, words: string): Promise<Pick<Found, 'messages' | 'complete'>> {
  const quick = await ask<FoundMessage>(QUICK_MS, MESSAGES, words);
  if (quick !== undefined) return { messages: quick, complete: true };
  const newest = (await ask<FoundMessage>(RECENT_MS, NEWEST_MESSAGES, words)) ?? [];
  if (newest.length === SEARCH_HITS_MAX) return { messages: newest, complete: true };
  const all = await ask<FoundMessage>(QUERY_MS, MESSAGES, words);
  return { messages: all ?? newest, complete: all !== undefined };
}

/** Both as tsquery; null if the text has no searchable word. */
export function readQueries(
  db: Database,
  alias: string | null,
  text: string,
): Promise<{ names: string | null; words: string | null }> {
  // PostgreSQL text cannot contain NUL.
  const wanted = text.replaceAll('\0', ' ');
  return one<{ names: string | null; words: string | null }>(db)`
    with desks as (
      select case when ${alias}::text is null then array(select alias from handlers) else array[${alias}::text] end as aliases
    )
    select search_query(aliases, 'name', ${wanted}) as names, search_query(aliases, 'message', ${wanted}) as words
    from desks`;
}

/** One process, indexes only, no JIT: estimates for new tables mislead the planner. */
export const SESSION = `set transaction read only; set local jit = off; set local max_parallel_workers_per_gather = 0;
  set local enable_seqscan = off`;
