import { expect, vi } from 'vitest';
import { indexSlice } from '../../src/search/searchIndex.store.ts';
import type { Reply, TestServer } from './harness.ts';
import { soon } from './soon.ts';

/** Inserts conversations with messages directly into the tables: more than people could write during a test. */
export async function writeConversations(
  server: TestServer,
  what: {
    alias: string;
    conversations: number;
    /** In each conversation. */
    messages: number;
    /** SQL for the text of message `s.seq` in conversation `c.n`. */
    text?: string;
    name?: string;
    label?: string;
    closed?: boolean;
  },
): Promise<string[]> {
  // Not over the gateway's connections, which end a statement after 15 s.
  const query = server.asOwner;
  await query('insert into handlers (alias) values ($1) on conflict do nothing', [what.alias]);
  const { rows } = await query(
    `with invited as (
       insert into invites (token_hash, label, handler_alias, state, expires_at)
       select sha256(gen_random_uuid()::text::bytea), $4, $1, 'BOUND', now() + interval '1 day' from generate_series(1, $2)
       returning id
     ), written as (
       insert into conversations (invite_id, handler_alias, visitor_id, visitor_name, last_seq, status, closed_at)
       select id, $1, gen_random_uuid(), $5, $3, case when $6 then 'closed' else 'open' end, case when $6 then now() end
       from invited returning id
     ), marked as (
       insert into search_due (alias, conversation_id) select $1, id from written where $6
     )
     select id from written`,
    [
      what.alias,
      what.conversations,
      what.messages,
      what.label ?? '',
      what.name ?? 'Ada',
      what.closed ?? false,
    ],
  );
  const ids = rows.map(({ id }): string => id);
  await query(
    `insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
     select c.id, s.seq, gen_random_uuid(), s.seq % 2 = 0, gen_random_uuid(),
       now() - make_interval(secs => $2 - s.seq), ${what.text ?? "'message ' || s.seq"}
     from unnest($1::uuid[]) with ordinality as c (id, n), generate_series(1, $2) as s (seq)`,
    [ids, what.messages],
  );
  return ids;
}

/** Inserts a message that was just sent, and returns its number. */
export async function writeMessage(
  server: TestServer,
  conversationId: string,
  text: string,
): Promise<number> {
  const { rows } = await server.app.db.pool.query<{ seq: number }>(
    `with moved as (
       update conversations set last_seq = last_seq + 1, last_message_at = now() where id = $1 returning last_seq
     )
     insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
     select $1, last_seq, gen_random_uuid(), false, gen_random_uuid(), now(), $2 from moved returning seq`,
    [conversationId, text],
  );
  return rows[0]?.seq ?? 0;
}

/** Updates the search index of one desk or of all. A search itself stops indexing after a short time. */
export async function indexAll(server: TestServer, alias: string | null = null): Promise<void> {
  while ((await indexSlice(server.app.db, { alias, what: 'all', wait: true, ms: 10_000 })) === 'more');
}

/** The answer of a search that saw the whole index. On a busy machine one may run out of its short time. */
export async function completely(search: () => Promise<Reply>): Promise<Reply> {
  return vi.waitFor(async () => {
    const reply = await search();
    expect([reply.status, reply.body.complete]).toEqual([200, true]);
    return reply;
  }, soon);
}
