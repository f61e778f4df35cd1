import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { AppendResult, Draft } from '../../../server/src/db/message/appendCall.ts';
import { readHeads } from './conversation/conversations.ts';
import { addDevice } from './conversation/devices.ts';
import { bindInvite, insertInvite } from './invite/invites.ts';
import { appendConnection, callAppend, settle } from './message/appendCall.ts';
import { readMessages } from './message/messages.ts';
import { databases, ModelDatabase } from './modelDatabase.ts';
import { State } from './state.ts';

const URL = 'model:test';
const NOW = Date.UTC(2026, 10, 17);

/** A conversation at the desk `front` with one device. */
async function claimed() {
  const db = new ModelDatabase(new State(() => NOW, randomUUID));
  databases.set(URL, db);
  const visitor = { visitorId: randomUUID(), credential: Buffer.from('secret') };
  const invite = { tokenHash: Buffer.from('token'), alias: 'front', label: '', days: 7 };
  const { inviteId } = await insertInvite(db, invite);
  const code = { codeHash: Buffer.from('code'), codeNumber: 1 };
  const bound = await bindInvite(db, { inviteId, visitorId: visitor.visitorId, ...code });
  if (bound === undefined) throw new Error('not bound');
  const { conversationId } = bound;
  await addDevice(db, { conversationId, ...visitor, first: true, browser: '' });
  const draft = (text: string): Draft => ({
    ...{ conversationId, id: randomUUID(), text, fromOwner: false, authorId: visitor.visitorId },
    ...{ alias: null, after: null, mediaId: null },
  });
  return { db, conversationId, draft };
}

async function append(drafts: Draft[], lookUp: boolean): Promise<AppendResult[]> {
  const results: AppendResult[] = [];
  const batch = drafts.map((draft) => ({ draft, resolve: (result: AppendResult) => results.push(result) }));
  settle(batch, await callAppend(appendConnection(URL), batch, lookUp));
  return results;
}

test('the model stores a message once, and refuses a batch with a repeat like the unique key', async () => {
  const { db, conversationId, draft } = await claimed();
  const [first, second] = [draft('one'), draft('two')];
  expect(await append([first], false)).toMatchObject([{ outcome: 'stored', seq: 1, unread: 1 }]);
  await expect(append([second, first], false)).rejects.toMatchObject({ code: '23505' });
  expect(await append([second, first], true)).toMatchObject([
    { outcome: 'stored', seq: 2, unread: 2 },
    { outcome: 'repeated', seq: 1, createdAt: NOW },
  ]);
  expect(await readMessages(db, conversationId)).toMatchObject([{ text: 'one' }, { text: 'two' }]);
});

test('a transaction of the model changes everything or nothing, and other calls wait for it', async () => {
  const { db, conversationId, draft } = await claimed();
  const gate = Promise.withResolvers<void>();
  const failed = db.transaction(async (step) => {
    await addDevice(step, {
      ...{ conversationId, visitorId: randomUUID(), credential: Buffer.from('other'), first: false },
      browser: '',
    });
    await gate.promise;
    throw new Error('no');
  });
  const later = append([draft('after it')], true).then(() => db.state.devices.all().length);
  gate.resolve();
  await expect(failed).rejects.toThrow('no');
  expect(await later).toBe(1);
  expect(await readHeads(db, [conversationId])).toMatchObject([{ head: 1 }]);
});

test('a query that the model does not have is named', async () => {
  const { db } = await claimed();
  await expect(db.query({ text: 'select 42' })).rejects.toThrow('the model has no such query: select 42');
});
