import { randomUUID } from 'node:crypto';
import { WEBHOOKS_MAX, WebhookEvent, WebhookPayload } from '@settee/protocol/model/webhook';
import { fillText } from '@settee/protocol/texts/fillText';
import { webhookTexts } from '@settee/protocol/texts/webhookTexts';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { acceptSecret, reconcileSecret } from '../src/actions/staff/reconcileSecret.ts';
import { systemClock } from '../src/adapters/system.ts';
import { openWebhooks } from '../src/adapters/webhooks.ts';
import { sealWebhookSecret } from '../src/auth/webhookSecrets.ts';
import { purgeExpired } from '../src/db/engine/expiry.ts';
import { type Db, run } from '../src/db/engine/query.ts';
import {
  LEASE_SECONDS,
  listDeliveries,
  recordDelivered,
  takeDue,
} from '../src/db/integrations/webhookDeliveries.ts';
import { startWebhookDeliveries } from '../src/jobs/webhookDeliveries.ts';
import type { Clock } from '../src/ports.ts';
import { invite, openBrowser } from './browser.ts';
import { explain } from './explain.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { openTransaction } from './openTransaction.ts';
import { createAdministrator, createChat, createStaff, type Person, sendOver, watchAs } from './people.ts';
import { soon } from './soon.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhookReceiver.ts';

const DESK = 'zq-velvet-desk';
const ALL = WebhookEvent.options;

let receiver: WebhookReceiver;
let server: TestServer;
let admin: Person;
let handler: Person;
let worker: { stop(): Promise<void> } | undefined;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  server = await startTestServer({ config: { webhookHosts: [receiver.host] } });
  admin = await createAdministrator(server);
  handler = await createStaff(server, DESK);
});
afterAll(async () => {
  await server.close();
  await receiver.stop();
});
beforeEach(async () => {
  await server.app.db.pool.query('delete from webhook_endpoints');
  await server.app.db.pool.query('delete from webhook_deliveries');
  receiver.received.length = 0;
  receiver.answer = () => 200;
  receiver.headers = {};
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
});

function startWorker(config = server.app.config, { log = server.app.log, clock = systemClock } = {}): void {
  const webhooks = openWebhooks(config, systemClock, { ca: receiver.certificate.cert });
  worker = startWebhookDeliveries({ db: server.app.db, config, webhooks, clock, log });
}

async function add(draft: object = {}): Promise<{ id: string; secret: string }> {
  const body = { url: receiver.url, events: ALL, withText: false, ...draft };
  const reply = await admin.call('POST', '/manage/webhooks', body);
  expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
  return { id: reply.body.webhook.id, secret: reply.body.secret };
}

const rows = (text: string, values: unknown[] = []) =>
  server.app.db.pool.query(text, values).then((result) => result.rows);

/** Lets the time until the next attempts pass. */
const hurry = async () => {
  await rows('update webhook_endpoints set retry_at = now()');
  await rows('update webhook_deliveries set due_at = now() where not done');
};

const say = (person: Person, conversationId: string, text = 'hello') =>
  person.call('POST', `/conversations/${conversationId}/messages`, { id: randomUUID(), text });

const accepted = (count: number) =>
  vi.waitFor(() => expect(receiver.accepted().length).toBeGreaterThanOrEqual(count), soon);

const typesOf = (conversationId: string) =>
  receiver
    .accepted()
    .filter(({ event }) => event.data.conversationId === conversationId)
    .map(({ event }) => event.type);

test('[HOOK-01] the life of an invite is reported in order, signed as Standard Webhooks says', async () => {
  const { secret } = await add();
  startWorker();
  const token = await invite(server, DESK);
  const visitor = await openBrowser(server);
  await visitor.call('POST', '/seeInvite', { token });
  const { conversationId } = (await visitor.claim(token)).body;
  await visitor.signIn();
  const path = `/conversations/${conversationId}`;
  const send = (text: string) => visitor.call('POST', `${path}/messages`, { id: randomUUID(), text });
  await send('first');
  await send('second');
  await say(handler, conversationId, 'reply');
  await say(handler, conversationId, 'another');
  await handler.call('PUT', `${path}/status`, { status: 'closed' });
  await send('reopens');
  await accepted(11);
  expect(receiver.received.map(({ event }) => event.type)).toEqual([
    'invite.opened',
    'invite.started',
    'message.stored',
    'conversation.waiting',
    'message.stored',
    'message.stored',
    'conversation.answered',
    'message.stored',
    'conversation.closed',
    'message.stored',
    'conversation.waiting',
  ]);
  const seqs = receiver.received
    .filter(({ event }) => event.type === 'message.stored')
    .map(({ event: { data } }) => [data.seq, data.from]);
  expect(seqs).toEqual([
    [1, 'visitor'],
    [2, 'visitor'],
    [3, 'owner'],
    [4, 'owner'],
    [5, 'visitor'],
  ]);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(receiver.received.length);
  for (const { body, headers, event } of receiver.received) {
    expect(new Webhook(secret).verify(body, headers)).toEqual(event);
    expect(v.parse(WebhookPayload, event)).toEqual(event);
  }
});

test('[HOOK-02] events have ids only; text is added if chosen, and never a name, an alias or a label', async () => {
  const { id } = await add();
  startWorker();
  const { visitor, conversationId } = await createChat(server, DESK);
  await visitor.call('PUT', `/conversations/${conversationId}/visitorName`, { visitorName: 'Zq Okapi' });
  await say(visitor, conversationId, 'a private word');
  await say(handler, conversationId, 'an answer');
  await accepted(5);
  const all = receiver.received.map(({ body, headers }) => body + JSON.stringify(headers)).join('\n');
  for (const secret of ['private', 'answer"', 'Okapi', DESK, 'Handler']) expect(all).not.toContain(secret);

  await admin.call('PUT', `/manage/webhooks/${id}`, { withText: true });
  await say(visitor, conversationId, 'with text');
  await accepted(7);
  const last = receiver.received.filter(({ event }) => event.type === 'message.stored').at(-1);
  expect(last?.event.data.text).toBe('with text');
});

test('[HOOK-01] an endpoint gets only the events that it chose', async () => {
  await add({ events: ['conversation.closed'] });
  startWorker();
  const { visitor, conversationId } = await createChat(server, DESK);
  await say(visitor, conversationId);
  await handler.call('PUT', `/conversations/${conversationId}/status`, { status: 'closed' });
  await accepted(1);
  expect(await rows('select type from webhook_deliveries')).toEqual([{ type: 'conversation.closed' }]);
});

test('[HOOK-04] a refused delivery is repeated with the same id, and holds back only its own conversation', async () => {
  await add({ events: ['message.stored'] });
  const [one, other] = [await createChat(server, DESK), await createChat(server, DESK)];
  receiver.answer = ({ event }) => (event.data.conversationId === one.conversationId ? 503 : 200);
  startWorker();
  await say(one.visitor, one.conversationId, 'first');
  await say(one.visitor, one.conversationId, 'second');
  await say(other.visitor, other.conversationId, 'elsewhere');
  await accepted(1);
  await hurry();
  const refused = () => receiver.received.filter(({ status }) => status === 503);
  await vi.waitFor(() => expect(refused().length).toBeGreaterThan(1), soon);
  expect(new Set(refused().map(({ id, event }) => `${id} ${event.data.seq}`)).size).toBe(1);
  // Until the failure is recorded, the lease counts, and the next attempt would replace what `hurry` sets.
  await vi.waitFor(async () => {
    const [waiting] = await rows(
      `select attempts, status, due_at > tried_at + make_interval(secs => $1) as recorded
       from webhook_deliveries where seq = 1 and not done`,
      [LEASE_SECONDS],
    );
    expect(waiting).toEqual({ status: 503, attempts: refused().length, recorded: true });
  }, soon);
  receiver.answer = () => 200;
  await hurry();
  await accepted(3);
  expect(typesOf(one.conversationId).length).toBe(2);
  const seqs = receiver.accepted().filter(({ event }) => event.data.conversationId === one.conversationId);
  expect(seqs.map(({ event }) => event.data.seq)).toEqual([1, 2]);
});

test('[HOOK-04] a long queue behind a refused delivery does not delay other conversations', async () => {
  await add({ events: ['message.stored'] });
  const [one, other] = [await createChat(server, DESK), await createChat(server, DESK)];
  await say(one.visitor, one.conversationId);
  await rows(`update webhook_deliveries set due_at = now() + interval '1 hour'`);
  await rows(
    `insert into webhook_deliveries (endpoint_id, type, at, invite_id, conversation_id, seq, message_id, from_owner, image)
     select endpoint_id, type, at, invite_id, conversation_id, seq, message_id, from_owner, image
     from webhook_deliveries cross join generate_series(1, 40)`,
  );
  await say(other.visitor, other.conversationId);
  let ticks = 0;
  const once: Clock = {
    now: systemClock.now,
    after: (ms, run) => (ticks++ === 0 ? systemClock.after(ms, run) : () => {}),
  };
  startWorker(server.app.config, { clock: once });
  await accepted(1);
  expect(receiver.received.map(({ event }) => event.data.conversationId)).toEqual([other.conversationId]);
});

test('[HOOK-06] attempts are further and further apart; the last one gives up and lets the next event pass', async () => {
  await add({ events: ['message.stored'] });
  const { visitor, conversationId } = await createChat(server, DESK);
  const other = await createChat(server, DESK);
  await say(visitor, conversationId, 'poison');
  await say(visitor, conversationId, 'fine');
  const isPoison = ({ data }: { data: { conversationId: string; seq: number } }) =>
    data.conversationId === conversationId && data.seq === 1;
  receiver.answer = ({ event }) => (isPoison(event) ? 500 : 200);
  startWorker();
  const waits: number[] = [];
  for (let tries = 1; tries <= 10; tries += 1) {
    await vi.waitFor(async () => {
      const [row] = await rows(
        `select attempts, status is not null and due_at > now() + interval '1 second' as failed,
           extract(epoch from due_at - tried_at)::float8 as wait
         from webhook_deliveries where conversation_id = $1 and seq = 1`,
        [conversationId],
      );
      expect([row.attempts, row.failed]).toEqual([tries, true]);
      waits.push(row.wait);
    }, soon);
    if (tries === 1) {
      await rows(`update webhook_deliveries set due_at = now() + interval '1 hour'`);
      await rows('update webhook_endpoints set retry_at = now()');
      await say(other.visitor, other.conversationId, 'accepted meanwhile');
      await vi.waitFor(async () => {
        expect(await rows('select failing_since from webhook_endpoints')).toEqual([{ failing_since: null }]);
      }, soon);
    }
    await rows('update webhook_deliveries set status = null where not done');
    await hurry();
  }
  await accepted(2);
  expect(typesOf(conversationId).length).toBe(1);
  const [given] = await rows(
    'select done, delivered_at, attempts from webhook_deliveries where conversation_id = $1 and seq = 1',
    [conversationId],
  );
  expect(given).toEqual({ done: true, delivered_at: null, attempts: 11 });
  const shortest = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800];
  for (const [index, wait] of waits.entries()) {
    expect(wait).toBeGreaterThanOrEqual(shortest[index] ?? 0);
    // The time of the request is included, which a busy machine prolongs.
    expect(wait).toBeLessThan(1.2 * (shortest[index] ?? 0) + 20);
  }
});

test('[HOOK-06] no event is given up while the receiver accepts none', async () => {
  await add({ events: ['message.stored'] });
  const { visitor, conversationId } = await createChat(server, DESK);
  await say(visitor, conversationId);
  await rows(`update webhook_deliveries set attempts = 10, first_tried_at = now() - interval '1 day'`);
  receiver.answer = () => 503;
  startWorker();
  for (const attempts of [11, 12]) {
    await vi.waitFor(async () => {
      const [row] = await rows(
        'select attempts, done, extract(epoch from due_at - tried_at)::float8 as wait from webhook_deliveries',
      );
      expect(row).toMatchObject({ attempts, done: false });
      expect(row.wait / 28_800).toBeGreaterThanOrEqual(1);
    }, soon);
    await hurry();
  }
  receiver.answer = () => 200;
  await vi.waitFor(async () => {
    await hurry();
    expect(receiver.accepted().length).toBeGreaterThan(0);
  }, soon);
});

test('[HOOK-06] an endpoint that fails for five days, or answers 410, is disabled, and administrators learn of it', async () => {
  const { id } = await add();
  const { visitor, conversationId } = await createChat(server, DESK);
  await rows(
    `update webhook_endpoints set failing_since = now() - interval '5 days 1 minute', retry_at = now()`,
  );
  receiver.answer = () => 503;
  startWorker();
  const state = async () => (await admin.call('GET', '/manage/webhooks')).body.webhooks[0].state;
  await vi.waitFor(async () => expect(await state()).toBe('disabled'), soon);
  const { entries } = (await admin.call('GET', `/manage/audit?action=webhook.disable&q=${id}`)).body;
  expect(entries).toMatchObject([{ actor: { kind: 'system' }, details: { status: 503 } }]);
  expect((await admin.call('GET', '/manage/counts')).body.disabledWebhooks).toBe(1);
  const before = await rows('select count(*) from webhook_deliveries');
  await say(visitor, conversationId);
  expect(await rows('select count(*) from webhook_deliveries')).toEqual(before);

  receiver.answer = () => 410;
  await rows(`update webhook_deliveries set due_at = now() + interval '1 hour'`);
  await admin.call('PUT', `/manage/webhooks/${id}`, { state: 'active' });
  expect(await state()).toBe('active');
  await hurry();
  await vi.waitFor(async () => expect(await state()).toBe('disabled'), soon);
});

test('[HOOK-06] failures with half a day between them do not add up to five days', async () => {
  await add({ events: ['message.stored'] });
  const { visitor, conversationId } = await createChat(server, DESK);
  await say(visitor, conversationId);
  await rows(
    `update webhook_endpoints set failing_since = now() - interval '6 days', retry_at = now() - interval '13 hours'`,
  );
  receiver.answer = () => 503;
  startWorker();
  await vi.waitFor(
    async () => expect(await rows('select status from webhook_deliveries')).toEqual([{ status: 503 }]),
    soon,
  );
  await worker?.stop();
  expect(
    await rows(`select state, failing_since > now() - interval '1 hour' as restarted from webhook_endpoints`),
  ).toEqual([{ state: 'active', restarted: true }]);
});

test('[HOOK-12] after a rotation both secrets sign for a day, and then only the new one', async () => {
  const { id, secret } = await add({ events: ['message.stored'] });
  startWorker();
  const { visitor, conversationId } = await createChat(server, DESK);
  const { body } = await admin.call('POST', `/manage/webhooks/${id}/secret`);
  expect(body.previousUntil - Date.now()).toBeGreaterThan(23 * 3_600_000);
  const verified = ({ body: sent, headers }: WebhookReceiver['received'][0]) =>
    [secret, body.secret].map((each) => {
      try {
        return new Webhook(each).verify(sent, headers) !== undefined;
      } catch {
        return false;
      }
    });
  await say(visitor, conversationId);
  await accepted(1);
  expect(receiver.received.map(verified)).toEqual([[true, true]]);
  await rows('update webhook_endpoints set previous_until = now()');
  await say(visitor, conversationId);
  await accepted(2);
  expect(receiver.received.map(verified).at(-1)).toEqual([false, true]);
  expect((await admin.call('GET', '/manage/webhooks')).body.webhooks[0].previousSecretUntil).toBeNull();
});

test('[HOOK-06] a paused endpoint gets its events when it resumes', async () => {
  const { id } = await add({ events: ['message.stored'] });
  await admin.call('PUT', `/manage/webhooks/${id}`, { state: 'paused' });
  startWorker();
  const [paused, witness] = [await createChat(server, DESK), await add({ events: ['invite.started'] })];
  await say(paused.visitor, paused.conversationId, 'kept');
  await createChat(server, DESK);
  await accepted(1);
  expect(receiver.received.map(({ event }) => event.type)).toEqual(['invite.started']);
  await admin.call('PUT', `/manage/webhooks/${id}`, { state: 'active' });
  await accepted(2);
  expect(witness.id).not.toBe(id);
});

test('[HOOK-09] an erased conversation leaves no delivery, and old ones are deleted', async () => {
  await add();
  const [gone, kept] = [await createChat(server, DESK), await createChat(server, DESK)];
  await say(gone.visitor, gone.conversationId);
  await admin.call('DELETE', `/manage/conversations/${gone.conversationId}`);
  const left = await rows('select distinct conversation_id as id from webhook_deliveries');
  expect(left).toEqual([{ id: kept.conversationId }]);

  const insert = `insert into webhook_deliveries (endpoint_id, type, at, invite_id, done)
    values ($1, 'invite.opened', now() - $2::interval, gen_random_uuid(), $3)`;
  const [endpoint] = await rows('select id from webhook_endpoints');
  await rows('delete from webhook_deliveries');
  for (const [ended, age, done] of [
    [endpoint.id, '6 days', true],
    [endpoint.id, '13 days', false],
    [endpoint.id, '7 days 1 hour', true],
    [endpoint.id, '14 days 1 hour', false],
    [randomUUID(), '1 minute', false],
  ] as const)
    await rows(insert, [ended, age, done]);
  expect((await purgeExpired(server.app.db)).webhook_deliveries).toBe(3);
});

test('[HOOK-09] deleting a webhook is quick: a job deletes its deliveries in steps', async () => {
  const [gone, kept] = [await add(), await add()];
  const { visitor, conversationId } = await createChat(server, DESK);
  await say(visitor, conversationId);
  const count = async () =>
    Object.fromEntries(
      (await rows('select endpoint_id as id, count(*)::integer as n from webhook_deliveries group by 1')).map(
        ({ id, n }) => [id, n],
      ),
    );
  const before = await count();
  expect(before[gone.id]).toBeGreaterThan(1);
  expect((await admin.call('DELETE', `/manage/webhooks/${gone.id}`)).status).toBe(200);
  expect(await count()).toEqual(before);
  expect((await purgeExpired(server.app.db, 1)).webhook_deliveries).toBe(before[gone.id]);
  expect(await count()).toEqual({ [kept.id]: before[kept.id] });
});

/** A webhook with one delivered message. */
async function deliverOne() {
  const { id } = await add({ events: ['message.stored'] });
  startWorker();
  const { visitor, conversationId } = await createChat(server, DESK);
  await say(visitor, conversationId);
  await accepted(1);
  const read = async () => (await admin.call('GET', `/manage/webhooks/${id}/deliveries`)).body.deliveries;
  await vi.waitFor(async () => expect(await read()).toMatchObject([{ state: 'delivered' }]), soon);
  const [delivery] = await read();
  const resend = (position: number = delivery.position) =>
    admin.call('POST', `/manage/webhooks/${id}/resend`, { position });
  return { id, visitor, conversationId, delivery, read, resend };
}

test('a delivery can be sent again, with the same id', async () => {
  const { conversationId, delivery, resend } = await deliverOne();
  expect(delivery).toMatchObject({ status: 200, attempts: 1, problem: null, conversationId, nextAt: null });
  await resend();
  await accepted(2);
  expect(receiver.received.map((each) => each.id)).toEqual([`evt_${delivery.id}`, `evt_${delivery.id}`]);
  const unknown = await resend(1);
  expect([unknown.status, unknown.body.error]).toEqual([404, webhookTexts.noSuchDelivery]);
});

test('an old event that is refused again does not hold back newer ones', async () => {
  const { id, visitor, conversationId, read, resend } = await deliverOne();
  receiver.answer = ({ event }) => (event.data.seq === 1 ? 422 : 200);
  expect((await resend()).status).toBe(200);
  await vi.waitFor(
    async () => expect(await read()).toMatchObject([{ state: 'failed', attempts: 2, status: 422 }]),
    soon,
  );
  await say(visitor, conversationId);
  await accepted(2);

  await admin.call('PUT', `/manage/webhooks/${id}`, { state: 'paused' });
  const { status, body } = await resend();
  expect([status, body.error]).toEqual([400, webhookTexts.notActive]);
});

test('the list of deliveries has pages, and shows one state if asked', async () => {
  const { id } = await add({ events: ['message.stored'] });
  await rows(
    `insert into webhook_deliveries (endpoint_id, type, at, invite_id, done, delivered_at, status)
     select $1, 'message.stored', now(), gen_random_uuid(), true, case when n > 1 then now() end, 200
     from generate_series(1, 60) n`,
    [id],
  );
  const read = async (query: string) =>
    (await admin.call('GET', `/manage/webhooks/${id}/deliveries${query}`)).body;
  const first = await read('');
  const second = await read(`?before=${first.next}`);
  expect([first.deliveries.length, second.deliveries.length, second.next]).toEqual([50, 10, null]);
  expect((await read('?show=failed')).deliveries.length).toBe(1);
  expect((await read('?show=delivered')).deliveries.length).toBe(50);
  expect((await admin.call('GET', `/manage/webhooks/${randomUUID()}/deliveries`)).status).toBe(404);
});

test('a page of one state and the purge do not read the whole history', async () => {
  const { id } = await add();
  await rows(
    `insert into webhook_deliveries (endpoint_id, type, at, invite_id, done, delivered_at)
     select $1, 'invite.opened', now(), gen_random_uuid(), true, now() from generate_series(1, 20000)`,
    [id],
  );
  await rows('analyze webhook_deliveries');
  const statements: Parameters<Db['query']>[0][] = [];
  const watched: Db = {
    query(statement) {
      if (statement.text.includes('webhook_deliveries')) statements.push(statement);
      return server.app.db.query(statement);
    },
  };
  await listDeliveries(watched, id, { show: 'waiting' });
  await listDeliveries(watched, id, { show: 'failed' });
  await purgeExpired(watched);
  expect(statements.length).toBe(4);
  for (const { text, values = [] } of statements) {
    const read = (await explain(server, '', text, values)).filter(
      (node) => node['Relation Name'] === 'webhook_deliveries',
    );
    const long = read.filter((node) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) > 1);
    expect([text, long]).toEqual([text, []]);
  }
});

test('[HOOK-12] a worker that cannot open a secret sends nothing, and does not blame the receiver', async () => {
  const [unreadable, readable] = [
    await add({ events: ['message.stored'] }),
    await add({ events: ['message.stored'] }),
  ];
  const config = { ...server.app.config, secret: 'another secret for tests, long enough' };
  await rows('update webhook_endpoints set secret = $1 where id = $2', [
    sealWebhookSecret({ ...server.app, config }, readable.id, readable.secret),
    readable.id,
  ]);
  const { visitor, conversationId } = await createChat(server, DESK);
  await say(visitor, conversationId);
  const error = vi.fn();
  startWorker(config, { log: { ...server.app.log, error } });
  await accepted(1);
  expect(error).toHaveBeenCalledExactlyOnceWith({ host: receiver.host }, expect.stringMatching('SECRET'));
  expect(
    await rows(
      `select d.attempts, d.done, w.failing_since from webhook_deliveries d
       join webhook_endpoints w on w.id = d.endpoint_id where w.id = $1`,
      [unreadable.id],
    ),
  ).toEqual([{ attempts: 0, done: false, failing_since: null }]);
});

test('[HOOK-12] the secret is sealed in the database, survives a change of SECRET, and is replaced if SECRET is lost', async () => {
  const { id, secret } = await add({ events: ['message.stored'] });
  const [stored] = await rows('select secret from webhook_endpoints');
  expect(stored.secret.toString('latin1')).not.toContain(secret.slice(10));
  const { app } = server;
  const config = {
    ...app.config,
    secret: 'another secret for tests, long enough',
    secretPrevious: app.config.secret,
  };
  await reconcileSecret({ ...app, config });
  startWorker({ ...config, secretPrevious: 'forgotten, and long enough to pass' });
  const { visitor, conversationId } = await createChat(server, DESK);
  await say(visitor, conversationId);
  await accepted(1);
  const [{ body, headers } = { body: '', headers: {} }] = receiver.received;
  expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
  await worker?.stop();

  await acceptSecret(app, 'cli');
  expect((await admin.call('GET', '/manage/webhooks')).body.webhooks).toMatchObject([
    { id, state: 'paused' },
  ]);
  await say(visitor, conversationId);
  const resume = () => admin.call('PUT', `/manage/webhooks/${id}`, { state: 'active' });
  const refused = await resume();
  expect([refused.status, refused.body.error]).toEqual([400, webhookTexts.secretLost]);
  const replaced = (await admin.call('POST', `/manage/webhooks/${id}/secret`)).body;
  expect((await resume()).status).toBe(200);
  startWorker();
  await accepted(2);
  const last = receiver.received.at(-1);
  expect(() => new Webhook(replaced.secret).verify(last?.body ?? '', last?.headers ?? {})).not.toThrow();
});

test('adding, changing and rotating need a recent password or second factor, and there are at most ten', async () => {
  const { id } = await add();
  await rows(`update staff_sessions set second_factor_at = now() - interval '1 day', confirmed_at = null`);
  const draft = { url: receiver.url, events: ['invite.opened'], withText: false };
  const refused = [
    await admin.call('POST', '/manage/webhooks', draft),
    await admin.call('PUT', `/manage/webhooks/${id}`, { withText: true }),
    await admin.call('POST', `/manage/webhooks/${id}/secret`),
  ];
  expect(refused.map(({ body }) => body.code)).toEqual(Array(3).fill('password_required'));
  expect((await admin.call('PUT', `/manage/webhooks/${id}`, { state: 'paused' })).status).toBe(200);
  await rows('update staff_sessions set second_factor_at = now()');
  for (let made = 1; made < WEBHOOKS_MAX; made += 1) await add();
  const last = await admin.call('POST', '/manage/webhooks', draft);
  expect([last.status, last.body.error]).toEqual([
    400,
    fillText(webhookTexts.tooMany, { count: WEBHOOKS_MAX }),
  ]);
  for (const url of [
    'http://example.org/',
    'https://10.0.0.1/',
    'https://localhost/',
    'https://example.org:22/',
  ]) {
    const { status, body } = await admin.call('PUT', `/manage/webhooks/${id}`, { url });
    expect([url, status, body.error]).toEqual([url, 400, webhookTexts.urlRefused]);
  }
});

test('the audit log names the host of a webhook with every action, also after its deletion', async () => {
  const url = `${receiver.url}?token=secret-word`;
  const { host } = new URL(url);
  const { id } = await add({ url });
  const [{ position }] = await rows(
    `insert into webhook_deliveries (endpoint_id, type, at, invite_id, done, delivered_at)
     values ($1, 'invite.opened', now(), gen_random_uuid(), true, now()) returning position::integer`,
    [id],
  );
  await admin.call('PUT', `/manage/webhooks/${id}`, { withText: true });
  await admin.call('POST', `/manage/webhooks/${id}/secret`);
  await admin.call('POST', `/manage/webhooks/${id}/resend`, { position });
  const read = async () => (await admin.call('GET', `/manage/audit?q=${id}`)).body.entries;
  expect((await read())[0].target).toEqual({ kind: 'other', id, name: host });
  await admin.call('DELETE', `/manage/webhooks/${id}`);
  const entries = await read();
  expect(
    entries.map(({ action, details }: { action: string; details: object }) => ({ action, ...details })),
  ).toMatchObject([
    { action: 'webhook.delete', host },
    { action: 'webhook.resend', host, position },
    { action: 'webhook.rotate', host },
    { action: 'webhook.update', host, withText: true },
    { action: 'webhook.create', host },
  ]);
  expect(JSON.stringify(entries)).not.toContain('secret-word');
});

test('[HOOK-15] an address is stored as a URL parser writes it', async () => {
  const given = {
    'https://Hooks.Example.org': 'https://hooks.example.org/',
    'https://hooks.example.org:443/x': 'https://hooks.example.org/x',
    'https://hooks.example.org?a=1': 'https://hooks.example.org/?a=1',
    'https://bücher.example/': 'https://xn--bcher-kva.example/',
  };
  const stored = async (id: string) =>
    (await rows('select url from webhook_endpoints where id = $1', [id]))[0].url;
  const { id } = await add();
  for (const [url, parsed] of Object.entries(given)) {
    expect(await stored((await add({ url })).id)).toBe(parsed);
    await admin.call('PUT', `/manage/webhooks/${id}`, { url });
    expect(await stored(id)).toBe(parsed);
  }
  for (const url of [
    'https://0x7f.1/',
    'https://LOCALHOST/',
    'https://a@example.org/',
    `https://example.org/${'ü'.repeat(500)}`,
  ]) {
    const { status, body } = await admin.call('PUT', `/manage/webhooks/${id}`, { url });
    expect([url, status, body.error]).toEqual([url, 400, webhookTexts.urlRefused]);
  }
});

test('[HOOK-06] an edit that keeps the address keeps the time of the first failure', async () => {
  const { id } = await add();
  await rows('update webhook_endpoints set failing_since = now(), retry_at = now()');
  const failing = async (change: object) => {
    await admin.call('PUT', `/manage/webhooks/${id}`, change);
    const [{ failing_since: since, retry_at: retry }] = await rows('select * from webhook_endpoints');
    return [since !== null, retry !== null];
  };
  expect(await failing({ url: receiver.url, withText: true })).toEqual([true, true]);
  expect(await failing({ url: `${receiver.url}?other` })).toEqual([false, false]);
});

test('[HOOK-01] a batch of messages reports each wait and each answer once, and repeats nothing', async () => {
  const { id } = await add({ events: ['conversation.waiting', 'conversation.answered', 'message.stored'] });
  const chats = await Promise.all(Array.from({ length: 6 }, () => createChat(server, DESK)));
  const desk = await handler.live();
  const sockets = await Promise.all(
    chats.map(async ({ visitor, conversationId }) => (await watchAs(visitor, conversationId)).socket),
  );
  // Many at once: they share a batch, which takes the long path.
  await Promise.all(
    chats.flatMap(({ conversationId }, index) => {
      const socket = sockets[index];
      if (socket === undefined) throw new Error('no socket');
      return ['a', 'b', 'c'].map((text) => sendOver(socket, conversationId, text));
    }),
  );
  const repeated = randomUUID();
  for (const { conversationId } of chats) {
    desk.send({ type: 'watch', conversationId });
    await desk.next('watched', (frame) => frame.conversation.id === conversationId);
  }
  await Promise.all(chats.map(({ conversationId }) => sendOver(desk, conversationId, 'answer')));
  const [first] = chats;
  if (first === undefined) throw new Error('no chat');
  for (const text of ['twice', 'twice']) {
    await first.visitor.call('POST', `/conversations/${first.conversationId}/messages`, {
      id: repeated,
      text,
    });
  }
  for (const { conversationId } of chats) {
    const found = await rows(
      'select type, seq from webhook_deliveries where endpoint_id = $1 and conversation_id = $2 order by position',
      [id, conversationId],
    );
    expect(found.map(({ type, seq }) => `${type} ${seq}`)).toEqual([
      'message.stored 1',
      'conversation.waiting 1',
      'message.stored 2',
      'message.stored 3',
      'message.stored 4',
      'conversation.answered 4',
      ...(conversationId === first.conversationId ? ['message.stored 5', 'conversation.waiting 5'] : []),
    ]);
  }
  for (const socket of [...sockets, desk]) socket.close();
});

test('few steps look for the first events in a long queue', async () => {
  const { db } = server.app;
  const { id } = await add({ events: ['message.stored'] });
  for (const _ of ['one', 'other']) {
    const { visitor, conversationId } = await createChat(server, DESK);
    await say(visitor, conversationId);
  }
  await rows(
    `insert into webhook_deliveries (endpoint_id, type, at, invite_id, conversation_id, seq, message_id, from_owner, image)
     select endpoint_id, type, at, invite_id, conversation_id, seq, message_id, from_owner, image
     from webhook_deliveries cross join generate_series(1, 199)`,
  );
  const delivered: string[] = [];
  let steps = 0;
  for (;;) {
    const { taken, more } = await takeDue(db, id, 4);
    if (!more) break;
    steps += 1;
    for (const delivery of taken) {
      await recordDelivered(db, delivery, { status: 200, problem: null, tookMs: 1 });
      delivered.push(delivery.position);
    }
  }
  expect(new Set(delivered).size).toBe(400);
  // Each step takes the first delivery of both invites.
  expect(steps).toBeLessThan(210);
});

test('[HOOK-04] a failing endpoint gets one request at a time from all workers together', async () => {
  const { db } = server.app;
  const { id } = await add({ events: ['message.stored'] });
  for (const { visitor, conversationId } of [
    await createChat(server, DESK),
    await createChat(server, DESK),
  ]) {
    await say(visitor, conversationId);
  }
  await rows('update webhook_endpoints set failing_since = now(), retry_at = now()');
  const [first, second] = [await takeDue(db, id, 4), await takeDue(db, id, 4)];
  expect([first.taken.length, second.taken.length]).toEqual([1, 0]);
  // The worker died.
  await rows('update webhook_endpoints set retry_at = now()');
  expect((await takeDue(db, id, 4)).taken.length).toBe(1);
});

test('[HOOK-04] an endpoint gets no request before the time that it asked for', async () => {
  await add({ events: ['message.stored'] });
  const { visitor, conversationId } = await createChat(server, DESK);
  await say(visitor, conversationId);
  receiver.answer = () => 429;
  receiver.headers = { 'retry-after': '600' };
  startWorker();
  await vi.waitFor(async () => {
    const [waits] = await rows(
      `select extract(epoch from d.due_at - d.tried_at)::float8 as delivery,
         extract(epoch from w.retry_at - d.tried_at)::float8 as endpoint
       from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id where d.status = 429`,
    );
    expect(waits.delivery).toBeGreaterThanOrEqual(600);
    expect(waits.endpoint).toBeGreaterThanOrEqual(600);
  }, soon);
});

/** A delivery that a worker has sent, of a conversation of its own. */
async function takeFirst() {
  const { db } = server.app;
  const { id } = await add({ events: ['message.stored'] });
  const { visitor, conversationId } = await createChat(server, DESK);
  await say(visitor, conversationId);
  const [first] = (await takeDue(db, id, 4)).taken;
  if (first === undefined) throw new Error('no delivery');
  const record = () => recordDelivered(db, first, { status: 200, problem: null, tookMs: 1 });
  return { id, first, record, more: () => say(visitor, conversationId) };
}

const isBlocked = () =>
  vi.waitFor(async () => {
    const blocked = await rows(
      `select 1 from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%webhook_deliveries%'`,
    );
    expect(blocked.length).toBe(1);
  }, soon);

test('[HOOK-04] an event that is put off while the earlier one finishes is due at once', async () => {
  const { id, first, record, more } = await takeFirst();
  const other = await openTransaction(server);
  await run(other)`select from webhook_deliveries where position = ${first.position} for update`;
  const recorded = record();
  await isBlocked();
  await more();
  expect(await takeDue(server.app.db, id, 4)).toEqual({ taken: [], more: true });
  await other.commit();
  await recorded;
  expect(await rows('select due_at <= now() as due from webhook_deliveries where not done')).toEqual([
    { due: true },
  ]);
});

test('[HOOK-04] an erasure and a delivery that finishes do not block each other', async () => {
  const { first, record, more } = await takeFirst();
  await more();
  const erasure = await openTransaction(server);
  await run(erasure)`select from webhook_deliveries where position > ${first.position} for update`;
  const recorded = record();
  await isBlocked();
  await run(erasure)`delete from webhook_deliveries where invite_id = ${first.inviteId}`;
  await erasure.commit();
  await recorded;
  expect(await rows('select from webhook_deliveries')).toEqual([]);
});
