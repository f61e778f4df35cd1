import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { AppendResult, Draft } from '../../server/testing/simulation.ts';
import { patched } from '../proof/patch.ts';
import { real } from './model/functions.ts';
import { databases, ModelDatabase, model } from './model/model.ts';
import { State } from './model/state.ts';
import { planted } from './planted.ts';
import { shrink } from './shrink.ts';

const URL = 'model:test';
const NOW = Date.UTC(2026, 10, 17);

/** A conversation at the desk `front` with one device. */
async function claimed() {
  const db = new ModelDatabase(new State(() => NOW, randomUUID));
  databases.set(URL, db);
  const visitor = { visitorId: randomUUID(), credential: Buffer.from('secret') };
  const invite = { tokenHash: Buffer.from('token'), alias: 'front', label: '', days: 7 };
  const { inviteId } = await model.insertInvite(db, invite);
  const code = { codeHash: Buffer.from('code'), codeNumber: 1 };
  const bound = await model.bindInvite(db, { inviteId, visitorId: visitor.visitorId, ...code });
  if (bound === undefined) throw new Error('not bound');
  const { conversationId } = bound;
  await model.addDevice(db, { conversationId, ...visitor, first: true, browser: '' });
  const draft = (text: string): Draft => ({
    ...{ conversationId, id: randomUUID(), text, fromOwner: false, authorId: visitor.visitorId },
    ...{ alias: null, after: null, mediaId: null },
  });
  return { db, conversationId, draft };
}

async function append(drafts: Draft[], lookUp: boolean): Promise<AppendResult[]> {
  const results: AppendResult[] = [];
  const batch = drafts.map((draft) => ({ draft, resolve: (result: AppendResult) => results.push(result) }));
  real.settle(batch, await model.callAppend(model.appendConnection(URL), batch, lookUp));
  return results;
}

test('a transaction of the model changes everything or nothing, and other calls wait for it', async () => {
  const { db, conversationId, draft } = await claimed();
  const gate = Promise.withResolvers<void>();
  const failed = db.transaction(async (step) => {
    await model.addDevice(step, {
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
  expect(await model.readHeads(db, [conversationId])).toMatchObject([{ head: 1 }]);
});

test('a query that the model does not have is named', async () => {
  const { db } = await claimed();
  await expect(db.query({ text: 'select 42' })).rejects.toThrow('the model has no such query: select 42');
});

test('shrinking leaves only what a failure needs', async () => {
  const items = Array.from({ length: 500 }, (_, item) => item);
  const needed = [7, 8, 250, 499];
  const left = await shrink(items, async (fewer) => needed.every((item) => fewer.includes(item)));
  expect(left).toEqual(needed);
});

// The simulation would find this only after minutes.
test.each(Object.entries(planted))(
  'the planted fault %s applies to the current code',
  (_, { breaks: _rules, ...fault }) => {
    const source = readFileSync(resolve(import.meta.dirname, '../..', fault.file), 'utf8');
    expect(patched(source, fault)).not.toBe(source);
  },
);
