import { randomUUID } from 'node:crypto';
import { setTimeout as pass } from 'node:timers/promises';
import { WebhookEvent } from '@settee/protocol/model/webhook';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fullSize } from '../../tools/fullSize.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { createAdministrator, createChat, createStaff } from './people.ts';
import { type ProductProcess, startProduct } from './productProcess.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhookReceiver.ts';

const DESK = 'hooked-desk';
const CHATS = fullSize(8, 40);
const OUTAGE_MS = fullSize(5_000, 60_000);
const TIMEOUT_MS = fullSize(240_000, 900_000);

let receiver: WebhookReceiver;
let server: TestServer;
const workers: ProductProcess[] = [];
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  server = await startTestServer({ config: { webhookHosts: [receiver.host] } });
  for (const _ of ['first', 'second']) {
    workers.push(
      await startProduct('worker', {
        DATABASE_URL: server.databaseUrl,
        WEBHOOK_HOSTS: receiver.host,
        NODE_EXTRA_CA_CERTS: receiver.certificate.certPath,
      }),
    );
  }
});
afterAll(async () => {
  for (const each of workers) await each.stop();
  await server.close();
  await receiver.stop();
});

/** The events of the database, by invite, in the order in which they happened. */
async function storedByInvite(): Promise<Map<string, string[]>> {
  const { rows } = await server.app.db.pool.query<{ id: string; invite: string }>(
    'select id, invite_id as invite from webhook_deliveries order by position',
  );
  return byInvite(rows.map(({ id, invite }) => ({ id: `evt_${id}`, invite })));
}

function byInvite(events: readonly { id: string; invite: string }[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { id, invite } of events) {
    const known = found.get(invite) ?? [];
    if (!known.includes(id)) found.set(invite, [...known, id]);
  }
  return found;
}

test(`[HOOK-04] the receiver fails for ${OUTAGE_MS / 1_000} s and a worker is killed: each event arrives, in the order of its invite`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const admin = await createAdministrator(server);
  const handler = await createStaff(server, DESK);
  const body = { url: receiver.url, events: WebhookEvent.options, withText: true };
  const { secret } = (await admin.call('POST', '/manage/webhooks', body)).body;
  const chats = await Promise.all(Array.from({ length: CHATS }, () => createChat(server, DESK)));
  const talk = async (): Promise<void> => {
    for (const { visitor, conversationId } of chats) {
      const path = `/conversations/${conversationId}/messages`;
      for (const person of [visitor, handler]) {
        const { status } = await person.call('POST', path, { id: randomUUID(), text: 'hello' });
        expect(status).toBe(200);
      }
    }
  };
  const settled = (name: string) =>
    vi.waitFor(
      async () => {
        const { rows } = await server.app.db.pool.query(
          'select count(*)::integer as waiting from webhook_deliveries where not done',
        );
        expect([name, rows[0].waiting]).toEqual([name, 0]);
      },
      { timeout: TIMEOUT_MS, interval: 250 },
    );

  await talk();
  receiver.answer = () => 503;
  const until = Date.now() + OUTAGE_MS;
  // Longer on a busy machine, until the workers notice.
  do {
    await talk();
    await pass(500);
  } while (Date.now() < until || !receiver.received.some(({ status }) => status === 503));

  // One success ends the failure. Then both workers wait for answers: one worker alone sends four requests at once. The
  // receiver has accepted these events, but the killed worker never learns it.
  const gate = Promise.withResolvers<number>();
  let got = 0;
  receiver.answer = () => {
    got += 1;
    return got === 1 ? 200 : gate.promise;
  };
  await server.app.db.pool.query('update webhook_deliveries set due_at = now() where not done');
  await vi.waitFor(() => expect(got).toBeGreaterThan(5), { timeout: TIMEOUT_MS, interval: 50 });
  const [killed] = workers;
  killed?.signal('SIGKILL');
  await killed?.ended;
  receiver.answer = () => 200;
  gate.resolve(200);
  await talk();
  for (const { conversationId } of chats) {
    await handler.call('PUT', `/conversations/${conversationId}/status`, { status: 'closed' });
  }
  await settled('all events are delivered');

  const accepted = receiver.accepted();
  for (const { body: sent, headers } of accepted) new Webhook(secret).verify(sent, headers);
  const arrived = byInvite(accepted.map(({ id, event }) => ({ id, invite: event.data.inviteId })));
  const stored = await storedByInvite();
  expect(stored.size).toBe(CHATS);
  expect(Object.fromEntries(arrived)).toEqual(Object.fromEntries(stored));
  const { rows } = await server.app.db.pool.query(
    'select count(*)::integer as failed from webhook_deliveries where delivered_at is null',
  );
  expect(rows[0].failed).toBe(0);
  const events = [...stored.values()].flat().length;
  // What the killed worker had sent.
  expect(accepted.length).toBeGreaterThan(events);
});
