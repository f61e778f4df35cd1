import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Draft } from '../src/db/message/appendCall.ts';
import { Appender } from '../src/db/message/appender.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { createChat, createStaff } from './people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await createStaff(server, 'desk');
});
afterAll(() => server.close());

async function chat(): Promise<(text: string, id?: string) => Draft> {
  const { visitor, conversationId } = await createChat(server, 'desk');
  return (text, id = randomUUID()) => ({
    conversationId,
    id,
    text,
    fromOwner: false,
    authorId: visitor.browser.visitorId,
    alias: null,
    after: null,
    mediaId: null,
  });
}

async function stored(conversationId: string): Promise<{ seq: number; id: string }[]> {
  const { rows } = await server.app.db.pool.query(
    'select seq, id from messages where conversation_id = $1 order by seq',
    [conversationId],
  );
  return rows;
}

test('[MSG-01] a repeat is the same message: same number, same time, one row', async () => {
  const draft = (await chat())('once');
  const first = await server.app.appender.append(draft);
  const again = await server.app.appender.append(draft);
  expect(first).toMatchObject({ outcome: 'stored', seq: 1 });
  expect(again).toEqual({ outcome: 'repeated', seq: 1, createdAt: 'createdAt' in first && first.createdAt });
  expect(await stored(draft.conversationId)).toHaveLength(1);
});

test('[MSG-01] repeats among new messages use no number', async () => {
  const draft = await chat();
  const known = draft('known');
  await server.app.appender.append(known);
  const batch = [draft('a'), known, draft('b'), known, draft('c')];
  const results = await Promise.all(batch.map((each) => server.app.appender.append(each)));
  expect(results.map((result) => 'seq' in result && result.seq)).toEqual([2, 1, 3, 1, 4]);
  expect((await stored(known.conversationId)).map((row) => row.seq)).toEqual([1, 2, 3, 4]);
});

test('[MSG-01] a known id with other content is refused', async () => {
  const draft = await chat();
  const id = randomUUID();
  await server.app.appender.append(draft('this', id));
  expect(await server.app.appender.append(draft('that', id))).toEqual({ outcome: 'idReused' });
});

test('[C-06] [P-01] nothing is stored without a conversation that the sender belongs to', async () => {
  const draft = (await chat())('hello');
  const nowhere = { ...draft, conversationId: randomUUID() };
  const stranger = { ...draft, authorId: randomUUID() };
  const otherDesk = { ...draft, fromOwner: true, alias: 'another' };
  for (const wrong of [nowhere, stranger, otherDesk]) {
    expect(await server.app.appender.append(wrong)).toEqual({ outcome: 'notFound' });
  }
  expect(await stored(draft.conversationId)).toEqual([]);
});

test('[MSG-01] gateways that store in the same conversations at once neither deadlock nor leave gaps', async () => {
  const drafts = await Promise.all(Array.from({ length: 12 }, chat));
  const gateways = Array.from({ length: 3 }, () => new Appender(server.databaseUrl, 2));
  const ids = Array.from({ length: 40 }, () => randomUUID());
  // Every gateway sends every message in a different order, for as many repeats as possible.
  const results = await Promise.all(
    gateways.flatMap((gateway, turn) =>
      ids.flatMap((id, at) =>
        drafts.map((draft, chatIndex) => {
          const pick = drafts[(chatIndex + turn + at) % drafts.length] ?? draft;
          return gateway.append(pick(`text ${id}`, id));
        }),
      ),
    ),
  );
  expect(new Set(results.map((result) => result.outcome))).toEqual(new Set(['stored', 'repeated']));
  for (const draft of drafts) {
    const rows = await stored(draft('').conversationId);
    expect(rows.map((row) => row.seq)).toEqual(ids.map((_, index) => index + 1));
    expect(new Set(rows.map((row) => row.id))).toEqual(new Set(ids));
  }
  await Promise.all(gateways.map((gateway) => gateway.close()));
});

test('[D-02] [S-11] time never goes backwards within a conversation, whatever the clock does', async () => {
  const draft = await chat();
  const first = await server.app.appender.append(draft('now'));
  await server.app.db.pool.query(
    "update conversations set last_message_at = now() + interval '1 hour' where id = $1",
    [draft('').conversationId],
  );
  const second = await server.app.appender.append(draft('later'));
  if (first.outcome !== 'stored' || second.outcome !== 'stored') throw new Error('not stored');
  expect(second.createdAt - first.createdAt).toBeGreaterThan(3_500_000);
});

test('[MSG-21] a visitor reopens a conversation closed within the window, not later, and never a blocked one', async () => {
  const draft = await chat();
  const { conversationId } = draft('');
  const set = (sql: string) =>
    server.app.db.pool.query(`update conversations set ${sql} where id = $1`, [conversationId]);
  await set("status = 'closed', closed_at = now() - interval '6 days'");
  expect(await server.app.appender.append(draft('back again'))).toMatchObject({
    outcome: 'stored',
    seq: 1,
    rev: 1,
  });
  const { rows } = await server.app.db.pool.query('select status from conversations where id = $1', [
    conversationId,
  ]);
  expect(rows).toEqual([{ status: 'open' }]);
  await set("status = 'closed', closed_at = now() - interval '8 days'");
  expect(await server.app.appender.append(draft('too late'))).toEqual({ outcome: 'closed' });
  await set("status = 'blocked', closed_at = now()");
  expect(await server.app.appender.append(draft('blocked'))).toEqual({ outcome: 'closed' });
});
