import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { makeVapidKey, vapidPublicKey } from '../../src/platform/config/vapidKey.ts';
import { type PushService, startPushService } from '../push/pushService.ts';
import { type BreakableLine, breakableLine } from '../support/breakableLine.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type ProductProcess, startProduct } from '../support/productProcess.ts';
import {
  Canaries,
  ORIGIN,
  runStory,
  type StoryResult,
  sendBrokenImage,
  sendInvalidRequests,
  subscribe,
} from './canaries.ts';

const SLOW = { timeout: 90_000, interval: 200 };

let database: TestDatabase;
let line: BreakableLine;
let service: PushService;
let client: pg.Client;
let running: ProductProcess[];
beforeEach(async () => {
  database = await createTestDatabase();
  line = await breakableLine(database.url);
  client = new pg.Client(database.ownerUrl);
  await client.connect();
  running = [];
});
afterEach(async () => {
  line.resume();
  await Promise.all(running.map((each) => each.stop()));
  await service.stop();
  await client.end();
  await line.close();
});

async function startBoth(): Promise<{ gateway: ProductProcess; worker: ProductProcess }> {
  const privateKey = makeVapidKey();
  service = await startPushService({ publicKey: vapidPublicKey(privateKey) ?? '' });
  const env = {
    DATABASE_URL: line.url,
    NATS_URL: inject('engines').NATS_URL ?? '',
    PUBLIC_URL: ORIGIN,
    LOG_LEVEL: 'trace',
    RUN_JOBS: 'false',
    SWEEP_SECONDS: '1',
    LOOKUPS_PER_MINUTE: '1000',
    LIMIT_FACTOR: '1000',
    VAPID_PRIVATE_KEY: privateKey,
    VAPID_SUBJECT: 'mailto:push@settee.example',
    PUSH_HOSTS: service.host,
    MEDIA_ROOT: mkdtempSync(join(tmpdir(), 'settee-canaries-')),
  };
  const [gateway, worker] = await Promise.all([startProduct('gateway', env), startProduct('worker', env)]);
  running = [gateway, worker];
  await gateway.waitFor('listening');
  await worker.waitFor('working');
  return { gateway, worker };
}

/** PostgreSQL refuses rows and quotes their content in its error. */
async function refuseRows({ canaries, visitor, conversationId }: StoryResult): Promise<void> {
  await client.query('alter table conversations add constraint sour check (visitor_name is null) not valid');
  const visitorName = `Mia ${canaries.word('name that is refused')}`;
  const refused = await visitor.call('PUT', `/conversations/${conversationId}/visitorName`, { visitorName });
  expect(refused.status).toBe(503);
  await client.query('alter table conversations drop constraint sour');
  const text = canaries.word('message that is refused');
  await client.query(`create function sour() returns trigger language plpgsql as
    $$ begin raise exception 'sour text: "%"', new.text using detail = new.text; end $$`);
  await client.query('create trigger sour before insert on messages for each row execute function sour()');
  const message = { id: randomUUID(), text };
  const sent = await visitor.call('POST', `/conversations/${conversationId}/messages`, message);
  expect(sent.status).toBe(503);
  await client.query('drop trigger sour on messages');
}

test('[PRIVACY-18] nothing that a person or a client can fill in is in a log or a metric', async () => {
  const canaries = new Canaries();
  const { gateway, worker } = await startBoth();
  const printed = (): string => /Setup code: (\S+)\n/.exec(gateway.output())?.[1] ?? '';
  await vi.waitFor(() => expect(printed()).not.toBe(''), SLOW);
  const story = await runStory(gateway.urlOf('listening'), printed(), canaries);
  await sendBrokenImage(story);
  await subscribe(story, service);
  await sendInvalidRequests(story);
  await refuseRows(story);

  // A worker fails to send a notification.
  const { handler, conversationId } = story;
  const text = canaries.word('message that is announced');
  await handler.call('POST', `/conversations/${conversationId}/messages`, { id: randomUUID(), text });
  await client.query('update push_due set due_at = now() where due_at is not null');
  await worker.waitFor('notification not sent');
  await worker.waitFor('image refused');

  line.cut();
  const away = canaries.word('message while the database is away');
  const message = { id: randomUUID(), text: away };
  const lost = await handler.call('POST', `/conversations/${conversationId}/messages`, message);
  expect(lost.status).toBe(503);
  line.resume();
  await vi.waitFor(async () => expect((await gateway.ask('/readyz')).status).toBe(200), SLOW);

  const metrics = [await gateway.ask('/metrics'), await worker.ask('/metrics')].map(({ body }) => body);
  expect(metrics[0]).toContain('settee_http_seconds_count{call="claimInvite",status="200"} 1');
  await Promise.all(running.map((each) => each.stop()));
  const output = gateway.output() + worker.output();

  // All expected events were logged, and the canaries were really used.
  for (const event of [
    'append not confirmed',
    'call failed',
    'test notification failed',
    'notification not sent',
  ])
    expect(gateway.events().concat(worker.events())).toContain(event);
  expect(canaries.fields().length).toBeGreaterThan(40);
  expect(canaries.foundIn(output)).toEqual([]);
  expect(canaries.foundIn(metrics.join(''))).toEqual([]);
  expect(output).not.toContain('"dropped"');
  expect(canaries.foundIn(`${output}\n{"url":"/?${away}"}`)).toEqual(['message while the database is away']);
}, 300_000);
