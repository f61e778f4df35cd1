import { afterEach, beforeEach, expect, test } from 'vitest';
import { indexSlice } from '../src/db/search/searchIndex.ts';
import type { Log } from '../src/log/log.ts';
import { fakeClock } from './fakeClock.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { indexAll } from './indexAll.ts';
import { openTransaction } from './openTransaction.ts';
import { createStaff, type Person } from './people.ts';
import { writeConversations, writeMessage } from './writtenConversations.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

async function entries(on = server): Promise<number> {
  const { rows } = await on.app.db.pool.query('select count(*)::integer as n from search_entries');
  return rows[0].n;
}

async function search(person: Person, words: string): Promise<{ found: number; complete: boolean }> {
  const { status, body } = await person.call('GET', `/search?q=${words}`);
  expect(status).toBe(200);
  return { found: body.messages.length, complete: body.complete };
}

/** A busy machine may need more than the time of one search. */
async function finds(person: Person, words: string, result: { found: number; complete: boolean }) {
  await expect.poll(() => search(person, words)).toEqual(result);
}

/** Makes the extraction of words fail in this way. */
async function breakWords(on: TestServer, statement: string): Promise<void> {
  await on.asOwner(
    `alter function search_vector(text, text) rename to search_vector_as_it_was;
     create function search_vector(p_key text, p_text text) returns tsvector language plpgsql as $$
     begin ${statement}; return search_vector_as_it_was(p_key, p_text); end $$`,
  );
}

test('[CONSOLE-46] a visitor who writes long ideographic text breaks no search', async () => {
  const handler = await createStaff(server, 'flooded');
  const [other = ''] = await writeConversations(server, { alias: 'flooded', conversations: 1, messages: 0 });
  await writeMessage(server, other, 'a kingfisher');
  await indexAll(server);
  await finds(handler, 'kingfisher', { found: 1, complete: true });
  await writeConversations(server, {
    alias: 'flooded',
    conversations: 1,
    messages: 300,
    text: "(select string_agg(chr(19968 + (random() * 20000)::integer), '') from generate_series(1, 4000 + 0 * s.seq))",
  });
  // Twelve kilobytes each: this many messages fill one slice, plus a name.
  let before = await entries();
  let result = '';
  for (let slice = 0; slice < 8; slice += 1) {
    result = await indexSlice(server.app.db, { alias: 'flooded', what: 'all', wait: true, ms: 10_000 });
    const after = await entries();
    expect(after - before).toBeLessThanOrEqual(5);
    expect(after).toBeGreaterThan(before);
    before = after;
  }
  expect(result).toBe('more');
  await finds(handler, 'kingfisher', { found: 1, complete: false });
});

test('text that is too slow for one step is indexed in smaller ones', async () => {
  const handler = await createStaff(server, 'slow');
  await writeConversations(server, { alias: 'slow', conversations: 1, messages: 400 });
  await breakWords(server, 'perform pg_sleep(0.01)');
  // On a busy machine a search may find no time even for a small step; the next one does.
  let entriesBefore = 0;
  for (let n = 0; n < 3; n += 1) {
    await expect
      .poll(
        async () => {
          const { found, complete } = await search(handler, 'message');
          expect(complete).toBe(false);
          return found > 0 && (await entries()) > entriesBefore;
        },
        { timeout: 20_000 },
      )
      .toBe(true);
    entriesBefore = await entries();
  }
});

test('a search waits neither for another gateway’s step nor for an index that cannot be built', async () => {
  const handler = await createStaff(server, 'held');
  const [held = ''] = await writeConversations(server, { alias: 'held', conversations: 1, messages: 3 });
  await indexAll(server);
  await finds(handler, 'message', { found: 3, complete: true });
  await writeMessage(server, held, 'message of a moment ago');
  const holding = await openTransaction(server);
  await holding.query('select from search_heads for update');
  const times: number[] = [];
  await expect
    .poll(async () => {
      const began = Date.now();
      const result = await search(handler, 'message');
      times.push(Date.now() - began);
      return result;
    })
    .toEqual({ found: 3, complete: false });
  // Usually a second. Without a limit of its own it would wait for two queries of 15 s.
  expect(Math.min(...times)).toBeLessThan(12_000);
  await holding.rollback();

  const lines: string[] = [];
  const write = (fields: unknown, event: string): void =>
    void lines.push(`${JSON.stringify(fields)} ${event}`);
  server.app.log = { info: write, warn: write, error: write } satisfies Log;
  await breakWords(server, "raise exception 'cannot read %', p_text");
  await expect
    .poll(async () => [await search(handler, 'message'), lines[0]])
    .toEqual([{ found: 3, complete: false }, '{"code":"P0001"} search index behind']);
  expect(new Set(lines).size).toBe(1);
});

test('many searches of many sessions leave connections for others', async () => {
  // Its time stands still: every five seconds the gateway itself would wait for the same lock.
  const own = await startTestServer({ clock: fakeClock(Date.now()) });
  const staff: Person[] = [];
  for (let n = 0; n < 6; n += 1) staff.push(await createStaff(own, 'crowd'));
  await writeConversations(own, { alias: 'crowd', conversations: 1, messages: 5 });
  const { pool } = own.app.db;
  const holding = await openTransaction(own);
  await holding.query('lock table search_heads');
  let most = 0;
  // Each waits for half a second. On a busy machine three of them may miss each other.
  while (most < 3) {
    let ended = false;
    const searches = Promise.all(staff.map((person) => search(person, 'message'))).finally(() => {
      ended = true;
    });
    while (!ended) {
      const { rows } = await pool.query(
        `select count(*)::integer as n from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%search_heads%'`,
      );
      most = Math.max(most, rows[0].n);
    }
    expect((await searches).map(({ complete }) => complete)).toEqual(staff.map(() => false));
  }
  expect(most).toBe(3);
  await holding.rollback();
  await own.close();
});

test('a desk whose index falls behind does not delay another desk', async () => {
  const clock = fakeClock(Date.now());
  const own = await startTestServer({ clock });
  await breakWords(own, "if p_text = 'poison' then raise exception 'no'; end if");
  // One broken desk before it and one after it, whatever the order.
  for (const alias of ['broken-a', 'fine', 'broken-b']) {
    const handler = await createStaff(own, alias);
    const text = alias === 'fine' ? "'message'" : "'poison'";
    await writeConversations(own, { alias, conversations: 1, messages: 4, text });
    const socket = await handler.live();
    socket.send({ type: 'watchQueue' });
    await socket.next('queue');
  }
  const kept = () => {
    clock.advance(5_000);
    return entries(own);
  };
  await expect.poll(kept).toBe(5);
  await own.close();
});
