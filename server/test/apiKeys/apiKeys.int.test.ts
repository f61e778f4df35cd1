import { randomUUID } from 'node:crypto';
import type { Call } from '@settee/protocol/calls/call';
import { calls } from '@settee/protocol/calls/http';
import { Scope } from '@settee/protocol/model/apiKey';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/platform/adapters/system.ts';
import { RESERVED } from '../../src/platform/db/database.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { openSecurityLog } from '../../src/platform/log/securityLog.ts';
import { ask } from '../access/ask.ts';
import { ruleOf } from '../access/calls.ts';
import {
  createCallers,
  createKey,
  DESK,
  type StaffCallers,
  setStage,
  startAccessWorld,
} from '../access/stage.ts';
import { request, type TestServer } from '../support/harness.ts';
import { inParallel } from '../support/inParallel.ts';
import { createAdministrator, createChat, createStaff, type Person } from '../support/people.ts';
import type { PushWorld } from '../support/pushWorld.ts';
import { soon } from '../support/soon.ts';

let world: PushWorld;
let server: TestServer;
let staff: StaffCallers;
beforeAll(async () => {
  world = await startAccessWorld();
  ({ server } = world);
  staff = await createCallers(server);
});
afterAll(() => world.stop());

const scoped = Object.entries<Call>(calls).flatMap(([name, { scope }]) =>
  scope === undefined ? [] : [{ name: name as keyof typeof calls, scope }],
);

const invites = () => ({
  batchId: randomUUID(),
  attempt: 1,
  invites: [{ id: randomUUID(), label: 'Order 1', alias: DESK, days: 30, keepDays: null }],
});

const readKey = (id: string) =>
  server.app.db.pool.query('select * from api_keys where id = $1', [id]).then(({ rows }) => rows[0]);

test('[KEY-01] a key is shown once: the database has only its hash, and the list its first characters', async () => {
  const { admin, id, person } = await createKey(server);
  const { token } = person.browser;
  expect(token).toMatch(/^settee_[A-Za-z0-9_-]{43}$/);
  const stored = JSON.stringify(await readKey(id), (_, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
  );
  expect(stored).not.toContain(token.slice('settee_'.length + 6));
  const { body } = await admin.call('GET', '/manage/keys');
  const listed = body.keys.find((each: { id: string }) => each.id === id);
  expect(listed).toMatchObject({ prefix: token.slice(0, 13), createdBy: 'Admin', lastUsedAt: null });
  expect(JSON.stringify(body)).not.toContain(token);
});

test('[KEY-01] creating a key needs a recent password or second factor', async () => {
  const admin = await createAdministrator(server);
  await server.app.db.pool.query(
    `update staff_sessions set second_factor_at = now() - interval '1 day', confirmed_at = null`,
  );
  const draft = { name: 'Shop', scopes: ['invites:read'], days: null };
  const refused = await admin.call('POST', '/manage/keys', draft);
  expect([refused.status, refused.body.code]).toEqual([403, 'password_required']);
  await server.app.db.pool.query('update staff_sessions set second_factor_at = now()');
  expect((await admin.call('POST', '/manage/keys', draft)).status).toBe(200);
});

test('[KEY-03] a scope admits exactly its own calls', async () => {
  for (const scope of Scope.options) {
    const { person } = await createKey(server, [scope]);
    const stage = { ...(await setStage(world, staff)) };
    stage.people = { ...stage.people, key: person };
    const admitted: string[] = [];
    for (const { name } of scoped) {
      const reply = await ask(calls[name], ruleOf(name), stage, 'key');
      if (reply.status === 200) admitted.push(name);
      else
        expect([name, reply.status, reply.body.error]).toEqual([name, 403, expect.stringContaining('scope')]);
    }
    expect(admitted).toEqual(scoped.filter((each) => each.scope === scope).map(({ name }) => name));
    expect(admitted.length).toBeGreaterThan(0);
  }
});

test('[KEY-03] the security log names a key that lacks the scope', async () => {
  const lines: Record<string, unknown>[] = [];
  const security = openSecurityLog(
    {
      config: { secret: 'a secret for tests', securityLog: 'stdout', securityLogAddresses: 'hashed' },
      clock: systemClock,
      log: createLog('silent'),
    },
    { write: (line) => void lines.push(JSON.parse(line)) },
  );
  const other = await server.startAnother({ security });
  const { id, person } = await createKey(server, ['invites:read']);
  const { token } = person.browser;
  await request(other, 'POST', '/manage/invites/revoke', { token, body: { ids: [randomUUID()] } });
  await request(other, 'GET', '/manage/keys', { token });
  const refused = { event: 'access_refused', code: 'access_denied', keyId: id };
  await vi.waitFor(
    () =>
      expect(lines).toMatchObject([
        { ...refused, call: 'revokeInvites' },
        { ...refused, call: 'readApiKeys' },
      ]),
    soon,
  );
});

test('[KEY-03] every gateway refuses a revoked and an expired key at the next request', async () => {
  const other = await server.startAnother();
  const { admin, id, person } = await createKey(server);
  const late = await createKey(server);
  const { token } = person.browser;
  expect((await request(other, 'GET', '/manage/invites', { token })).status).toBe(200);
  await admin.call('DELETE', `/manage/keys/${id}`);
  await server.app.db.pool.query('update api_keys set expires_at = now() where id = $1', [late.id]);
  for (const refused of [token, late.person.browser.token, `${token}a`, 'settee_', token.toUpperCase()]) {
    const { status, body } = await request(other, 'GET', '/manage/invites', { token: refused });
    expect([refused, status, body.code]).toEqual([refused, 401, 'unauthenticated']);
  }
  expect((await admin.call('DELETE', `/manage/keys/${id}`)).status).toBe(404);
  const { keys } = (await admin.call('GET', '/manage/keys')).body;
  const ids = keys.map((each: { id: string }) => each.id);
  expect([ids.includes(id), ids.includes(late.id)]).toEqual([false, true]);
});

test('a key has its own limits, and the answer says when to try again', async () => {
  const strict = await server.startAnother({ config: { limitFactor: 1 } });
  const [{ person }, other] = [await createKey(server), await createKey(server)];
  const revoke = (token: string) =>
    request(strict, 'POST', '/manage/invites/revoke', { token, body: { ids: [randomUUID()] } });
  // In parallel: one after another they may take longer than the minute of the limit.
  const calls = Array.from({ length: 120 }, () => async () => (await revoke(person.browser.token)).status);
  expect(new Set(await inParallel(server, calls, RESERVED.connections))).toEqual(new Set([200]));
  expect((await revoke(person.browser.token)).status).toBe(429);
  expect((await revoke(person.browser.token)).headers.get('retry-after')).toMatch(/^[0-9]+$/);
  expect((await revoke(other.person.browser.token)).status).toBe(200);
});

test('[AUDIT-03] the audit log names the key, for changes and for messages that it read', async () => {
  const { admin, id, person } = await createKey(server);
  const { conversationId } = await createChat(server, DESK);
  expect((await person.call('POST', '/manage/invites', invites())).status).toBe(200);
  for (const after of ['0', '0', '1']) {
    await person.call('GET', `/manage/conversations/${conversationId}/export?after=${after}`);
  }
  const { body } = await admin.call('GET', `/manage/audit?actor=${id}`);
  const seen = body.entries.map(({ actor, action }: { actor: object; action: string }) => ({
    actor,
    action,
  }));
  const actor = { kind: 'key', id, name: 'Shop' };
  expect(seen).toEqual([
    { actor, action: 'conversation.export' },
    { actor, action: 'invite.create' },
  ]);
  const choices = (await admin.call('GET', '/manage/audit/choices')).body;
  expect(choices.actors).toContainEqual(actor);
  const created = (await admin.call('GET', `/manage/audit?action=key.create&q=${id}`)).body.entries[0];
  expect(created.target).toEqual({ kind: 'key', id, name: 'Shop' });
});

test('[PRIVACY-15] a key learns neither who wrote a message nor, in the list, its text', async () => {
  const { admin, person } = await createKey(server);
  const handler = await createStaff(server, DESK);
  const { conversationId } = await createChat(server, DESK);
  const path = `/conversations/${conversationId}/messages`;
  await handler.call('POST', path, { id: randomUUID(), text: 'said-by-a-handler' });
  const list = `/manage/conversations?q=${conversationId}`;
  const pages = { list, export: `/manage/conversations/${conversationId}/export` };
  const forAdmin = JSON.stringify((await admin.call('GET', pages.list)).body);
  expect(forAdmin).toContain('said-by-a-handler');
  const [row] = (await person.call('GET', pages.list)).body.rows;
  expect(row).toMatchObject({ conversationId, lastMessage: '', lastAuthor: null, lastSender: 'owner' });
  const [message] = (await person.call('GET', pages.export)).body.messages;
  expect(message).toMatchObject({ text: 'said-by-a-handler', sender: 'owner' });
  expect(message).not.toHaveProperty('writtenBy');
  expect((await admin.call('GET', pages.export)).body.messages[0]).toMatchObject({ writtenBy: 'Handler' });
});

test('a key revokes only invites that it created', async () => {
  const [{ admin, person }, other] = [await createKey(server), await createKey(server)];
  const create = async (by: Person): Promise<string> =>
    (await by.call('POST', '/manage/invites', invites())).body.links[0].id;
  const ids = [await create(person), await create(admin)];
  const revoke = async (by: Person): Promise<number> =>
    (await by.call('POST', '/manage/invites/revoke', { ids })).body.revoked;
  expect([await revoke(other.person), await revoke(person), await revoke(admin)]).toEqual([0, 1, 1]);
});
