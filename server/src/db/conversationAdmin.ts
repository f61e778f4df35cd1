import type { ConversationStatus } from '@settee/protocol/conversation';
import { type AdminRow, CONVERSATION_PAGE } from '@settee/protocol/conversationAdminCalls';
import type { Database } from './database.ts';
import { idRange } from './idRange.ts';
import { QUEUE_COLUMNS, tidy } from './queue.ts';

export type Wanted = {
  show?: ConversationStatus | 'waiting' | undefined;
  alias?: string | undefined;
  q?: string | undefined;
  /** The row that the page follows. */
  after?: { at: Date; id: string } | undefined;
};

const COLUMNS = `${QUEUE_COLUMNS}, c.handler_alias as "handlerAlias", c.status,
  floor(extract(epoch from c.closed_at) * 1000)::float8 as "closedAt"`;

/** While it is open, when it last spoke, which is in no index; after that, when it ended, which is. */
const SPOKE_AT = 'c.last_message_at::timestamptz(3)';
const ENDED_AT = 'c.closed_at::timestamptz(3)';

const DESK = '($1::text is null or c.handler_alias = $1)';
const FOLLOWS = (at: string) => `${at} <= $2 and (${at} < $2 or c.id > $3)`;

/** Open ones are few enough to be sorted, of all desks or of one: found by conversations_queue. */
const OPEN = (where = 'true') => `
  (select ${COLUMNS}, ${SPOKE_AT} as at from conversations c
   where c.status = 'open' and ${DESK} and ${where} and ${FOLLOWS(SPOKE_AT)}
   order by at desc, c.id limit $4)`;

/** In the order of conversations_ended_anywhere, or of conversations_ended for one desk: as many rows as are shown. */
const ENDED = (status: string) => `
  (select ${COLUMNS}, ${ENDED_AT} as at from conversations c
   where c.status = '${status}' and ${DESK} and ${FOLLOWS(ENDED_AT)}
   order by ${ENDED_AT} desc, c.id limit $4)`;

const SHOWN: Record<NonNullable<Wanted['show']> | 'all', string> = {
  open: OPEN(),
  waiting: OPEN('c.waiting_since is not null'),
  closed: ENDED('closed'),
  blocked: ENDED('blocked'),
  all: [OPEN(), ENDED('closed'), ENDED('blocked')].join(' union all '),
};

/**
 * By a word of the name or of the invite's label, or by the beginning of an id. What is found is filtered and sorted,
 * and few fit; the cost is that of the words, not of the conversations that there are.
 */
const FOUND = (where: string) => `
  with words as (
    select string_agg('''' || word || ''':*', ' & ')::tsquery as query
    from string_to_table(nullif(search_words($5), ''), ' ') as word
  ),
  found as (
    select c.id from words, conversations c where name_vector(c.visitor_name) @@ words.query
    union
    select c.id from words, invites i join conversations c on c.invite_id = i.id
    where name_vector(i.label) @@ words.query
    union
    select c.id from conversations c where c.id between $6 and $7
    union
    select d.conversation_id from devices d where d.visitor_id between $6 and $7
  )
  select ${COLUMNS}, a.at from found f join conversations c on c.id = f.id
  cross join lateral (select case when c.status = 'open' then ${SPOKE_AT} else ${ENDED_AT} end as at) a
  where ${DESK} and ${where} and ${FOLLOWS('a.at')}
  order by a.at desc, c.id limit $4`;

const FITS: Record<NonNullable<Wanted['show']> | 'all', string> = {
  open: "c.status = 'open'",
  waiting: "c.status = 'open' and c.waiting_since is not null",
  closed: "c.status = 'closed'",
  blocked: "c.status = 'blocked'",
  all: 'true',
};

/** A page of conversations at every desk, or at one, newest first; and where the next one begins. */
export async function listConversations(
  db: Database,
  { show, alias, q, after }: Wanted,
): Promise<{ rows: AdminRow[]; next: string | null }> {
  const which = show ?? 'all';
  const values: unknown[] = [alias ?? null, after?.at ?? 'infinity', after?.id, CONVERSATION_PAGE + 1];
  let text = `select * from (${SHOWN[which]}) c order by at desc, "conversationId" limit $4`;
  if (q !== undefined) {
    text = FOUND(FITS[which]);
    const [from, to] = idRange(q) ?? [null, null];
    // PostgreSQL's text cannot hold it.
    values.push(q.replaceAll('\0', ' '), from, to);
  }
  const { rows } = await db.pool.query<AdminRow & { at: Date }>(text, values);
  const page = rows.slice(0, CONVERSATION_PAGE);
  const last = page.at(-1);
  return {
    rows: page.map(({ at: _, ...row }) => ({ ...row, ...tidy(row) })),
    next: rows.length > CONVERSATION_PAGE && last ? `${last.at.getTime()}_${last.conversationId}` : null,
  };
}
