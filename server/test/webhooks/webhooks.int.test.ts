import { randomUUID } from 'node:crypto';
import { WEBHOOKS_MAX, WebhookEvent, WebhookPayload } from '@settee/protocol/model/webhook';
import { fillText } from '@settee/protocol/texts/fillText';
import { webhookTexts } from '@settee/protocol/texts/webhookTexts';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { fullSize } from '../../../tools/fullSize.ts';
import { purgeExpired } from '../../src/erasure/expiry.store.ts';
import { systemClock } from '../../src/platform/adapters/system.ts';
import { run } from '../../src/platform/db/query.ts';
import { acceptSecret, reconcileSecret } from '../../src/reconcileSecret.ts';
import { startWebhookDeliveries } from '../../src/webhooks/deliverWebhooks.ts';
import { LEASE_SECONDS, recordDelivered, takeDue } from '../../src/webhooks/webhookDeliveries.store.ts';
import { openWebhooks } from '../../src/webhooks/webhooks.adapter.ts';
import { invite, openBrowser } from '../support/browser.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { openTransaction } from '../support/openTransaction.ts';
import {
  createAdministrator,
  createChat,
  createStaff,
  type Person,
  say,
  sendOver,
  watchAs,
} from '../support/people.ts';
import { startProduct } from '../support/productProcess.ts';
import { soon } from '../support/soon.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhookReceiver.ts';

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

function startWorker(config = server.app.config): void {
  const { db, log } = server.app;
  const webhooks = openWebhooks(config, systemClock, { ca: receiver.certificate.cert });
  worker = startWebhookDeliveries({ db, config, webhooks, clock: systemClock, log });
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

const accepted = (count: number) =>
  vi.waitFor(() => expect(receiver.accepted().length).toBeGreaterThanOrEqual(count), soon);

const acceptedOf = (conversationId: string) =>
  receiver.accepted().filter(({ event }) => event.data.conversationId === conversationId);

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
  expect(acceptedOf(one.conversationId).map(({ event }) => event.data.seq)).toEqual([1, 2]);
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
      // An accepted event: none is given up while the receiver accepts nothing.
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
  expect(acceptedOf(conversationId)).toHaveLength(1);
  const [given] = await rows(
    'select done, delivered_at, attempts from webhook_deliveries where conversation_id = $1 and seq = 1',
    [conversationId],
  );
  expect(given).toEqual({ done: true, delivered_at: null, attempts: 11 });
  const shortest = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800];
  for (const [index, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(shortest[index] ?? 0);
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

test('[HOOK-01] [HOOK-06] an endpoint gets only the events that it chose; a paused one gets them when it resumes', async () => {
  const { id } = await add({ events: ['message.stored'] });
  await admin.call('PUT', `/manage/webhooks/${id}`, { state: 'paused' });
  startWorker();
  const paused = await createChat(server, DESK);
  await add({ events: ['invite.started'] });
  await say(paused.visitor, paused.conversationId, 'kept');
  await createChat(server, DESK);
  await accepted(1);
  expect(receiver.received.map(({ event }) => event.type)).toEqual(['invite.started']);
  await admin.call('PUT', `/manage/webhooks/${id}`, { state: 'active' });
  await accepted(2);
  expect(receiver.received.map(({ event }) => event.type)).toEqual(['invite.started', 'message.stored']);
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
  const { visitor, conversationId, read, resend } = await deliverOne();
  receiver.answer = ({ event }) => (event.data.seq === 1 ? 422 : 200);
  expect((await resend()).status).toBe(200);
  await vi.waitFor(
    async () => expect(await read()).toMatchObject([{ state: 'failed', attempts: 2, status: 422 }]),
    soon,
  );
  await say(visitor, conversationId);
  await accepted(2);
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
});

test('[HOOK-15] an address is stored as a URL parser writes it, and a refused one is not', async () => {
  const { id } = await add();
  const change = (url: string) => admin.call('PUT', `/manage/webhooks/${id}`, { url });
  for (const [url, parsed] of [
    ['https://Hooks.Example.org:443', 'https://hooks.example.org/'],
    ['https://bücher.example?a=1', 'https://xn--bcher-kva.example/?a=1'],
  ] as const) {
    expect((await change(url)).status).toBe(200);
    expect(await rows('select url from webhook_endpoints')).toEqual([{ url: parsed }]);
  }
  for (const url of [
    'http://example.org/',
    'https://0x7f.1/',
    'https://LOCALHOST/',
    'https://example.org:22/',
  ]) {
    const { status, body } = await change(url);
    expect([url, status, body.error]).toEqual([url, 400, webhookTexts.urlRefused]);
  }
});

test('[HOOK-01] a batch of messages reports each wait and each answer once, and repeats nothing', async () => {
  const { id } = await add({ events: ['conversation.waiting', 'conversation.answered', 'message.stored'] });
  const chats = await Promise.all(Array.from({ length: 3 }, () => createChat(server, DESK)));
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

const isBlocked = () =>
  vi.waitFor(async () => {
    const blocked = await rows(
      `select 1 from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%webhook_deliveries%'`,
    );
    expect(blocked.length).toBe(1);
  }, soon);

test('[HOOK-04] an erasure and a delivery that finishes do not block each other', async () => {
  const { db } = server.app;
  const { id } = await add({ events: ['message.stored'] });
  const { visitor, conversationId } = await createChat(server, DESK);
  await say(visitor, conversationId);
  const [first] = (await takeDue(db, id, 4)).taken;
  if (first === undefined) throw new Error('no delivery');
  await say(visitor, conversationId);
  const erasure = await openTransaction(server);
  await run(erasure)`select from webhook_deliveries where position > ${first.position} for update`;
  const recorded = recordDelivered(db, first, { status: 200, problem: null, tookMs: 1 });
  await isBlocked();
  await run(erasure)`delete from webhook_deliveries where invite_id = ${first.inviteId}`;
  await erasure.commit();
  await recorded;
  expect(await rows('select from webhook_deliveries')).toEqual([]);
});

/** Events of each invite, each once, in their order. */
function byInvite(events: readonly { id: string; invite: string }[]): Record<string, string[]> {
  const grouped = Object.groupBy(events, ({ invite }) => invite);
  return Object.fromEntries(
    Object.entries(grouped).map(([invite, all = []]) => [invite, [...new Set(all.map(({ id }) => id))]]),
  );
}

test('[HOOK-04] the receiver fails for a while and a worker is killed: each event arrives, in the order of its invite', async () => {
  const { secret } = await add({ withText: true });
  const startWorkerProcess = () =>
    startProduct('worker', {
      DATABASE_URL: server.databaseUrl,
      WEBHOOK_HOSTS: receiver.host,
      NODE_EXTRA_CA_CERTS: receiver.certificate.certPath,
    });
  const workers = [await startWorkerProcess(), await startWorkerProcess()];
  onTestFinished(async () => {
    for (const each of workers) await each.stop();
  });
  const chats = await Promise.all(Array.from({ length: fullSize(8, 40) }, () => createChat(server, DESK)));
  const talk = async (): Promise<void> => {
    for (const { visitor, conversationId } of chats) {
      for (const person of [visitor, handler]) expect((await say(person, conversationId)).status).toBe(200);
    }
  };
  await talk();
  receiver.answer = () => 503;
  await talk();
  await vi.waitFor(() => expect(receiver.received.some(({ status }) => status === 503)).toBe(true), soon);

  // One success ends the failure. Then the receiver has accepted events of both workers, and does not answer yet: the
  // killed worker never learns it. One worker alone sends four requests at once.
  const gate = Promise.withResolvers<number>();
  let got = 0;
  receiver.answer = () => {
    got += 1;
    return got === 1 ? 200 : gate.promise;
  };
  await rows('update webhook_endpoints set retry_at = now()');
  await rows('update webhook_deliveries set due_at = now() where not done');
  await vi.waitFor(() => expect(got).toBeGreaterThan(5), soon);
  const [killed] = workers;
  killed?.signal('SIGKILL');
  await killed?.ended;
  receiver.answer = () => 200;
  gate.resolve(200);
  await talk();
  await vi.waitFor(async () => {
    // Also those that the killed worker has leased.
    await hurry();
    expect(await rows('select from webhook_deliveries where not done')).toEqual([]);
  }, soon);

  const delivered = receiver.accepted();
  for (const { body, headers } of delivered) new Webhook(secret).verify(body, headers);
  const stored = await rows(
    "select 'evt_' || id as id, invite_id as invite, delivered_at is null as failed from webhook_deliveries order by position",
  );
  const arrived = byInvite(delivered.map(({ id, event }) => ({ id, invite: event.data.inviteId })));
  expect(arrived).toEqual(byInvite(stored));
  expect(stored.filter(({ failed }) => failed)).toEqual([]);
  // What the killed worker had sent.
  expect(delivered.length).toBeGreaterThan(stored.length);
});
