import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createKey } from '../../server/test/access/stage.ts';
import { startTestServer, type TestServer } from '../../server/test/support/harness.ts';
import { createChat, createStaff, type Person } from '../../server/test/support/people.ts';
import { soon } from '../../server/test/support/soon.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../server/test/support/webhookReceiver.ts';
import { openWebhooks, startWebhookDeliveries, systemClock } from '../../server/testing/installation.ts';
import { runShell, shellBlocks } from '../api/shell.ts';
import { freePorts } from '../freePorts.ts';

const ROOT = join(import.meta.dirname, '../..');
const DESK = 'shop-desk';
const page = readFileSync(join(ROOT, 'docs/examples/integrate.md'), 'utf8');
const [shop = '', receive = ''] = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(
  ([, code = '']) => code,
);

const folder = mkdtempSync(join(tmpdir(), 'settee-integrate-'));
let server: TestServer;
let receiver: WebhookReceiver;
let admin: Person;
let env: Record<string, string>;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  server = await startTestServer({ config: { webhookHosts: [receiver.host] } });
  await createStaff(server, DESK);
  const key = await createKey(server, ['invites:write']);
  ({ admin } = key);
  env = { SETTEE: server.url, KEY: key.person.browser.token, DESK };
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'shop.mjs'), shop);
  writeFileSync(join(folder, 'receive.mjs'), receive);
});
afterAll(async () => {
  await server.close();
  await receiver.stop();
  rmSync(folder, { recursive: true });
});

async function labelOf(link: string): Promise<unknown> {
  const { body } = await server.request('GET', `/checkInvite/${link.slice(link.lastIndexOf('/') + 1)}`);
  const { rows } = (await admin.call('GET', '/manage/invites')).body;
  return [body.success ?? body.state, rows[0].label];
}

test('the example for a shell creates an invite', async () => {
  const { code, out, err } = await runShell(shellBlocks(page), { cwd: folder, env });
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/\/i\/\S+\n$/);
  expect(await labelOf(out.trim())).toEqual([expect.anything(), 'Order 4711']);
});

test('the example for a shop creates an invite with an order, and reports a refusal', async () => {
  const order = (given: Record<string, string>) =>
    runShell('node shop.mjs 4712', { cwd: folder, env: { ...env, ...given } });
  const { code, out } = await order({});
  expect([code, out]).toEqual([0, expect.stringMatching(/\/i\/\S+\n$/)]);
  expect(await labelOf(out.trim())).toEqual([expect.anything(), 'Order 4712']);
  expect((await order({ DESK: 'nobody-there' })).code).toBe(1);
});

test('the receiver of twenty lines accepts an event once, and refuses a forged one', async () => {
  expect(receive.trim().split('\n').length).toBeLessThanOrEqual(20);
  const draft = { url: receiver.url, events: ['invite.started'], withText: false };
  const { secret } = (await admin.call('POST', '/manage/webhooks', draft)).body;
  const [port = 0] = await freePorts(1);
  const child = spawn(process.execPath, ['receive.mjs'], {
    cwd: folder,
    env: { PATH: dirname(process.execPath), PORT: String(port), WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  const { app } = server;
  const webhooks = openWebhooks(app.config, systemClock, { ca: receiver.certificate.cert });
  const worker = startWebhookDeliveries({ ...app, webhooks });
  const post = async (headers: Record<string, string>, body: string): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
  try {
    // The receiver of the test is the proxy with TLS. It passes each event on twice.
    receiver.answer = async ({ headers, body }) => {
      const signed = Object.fromEntries(
        Object.entries(headers).filter(([name]) => name.startsWith('webhook-')),
      );
      await post(signed, body).catch(() => 503);
      return post(signed, body).catch(() => 503);
    };
    const { conversationId } = await createChat(server, DESK);
    await vi.waitFor(() => expect(chunks.join('')).toContain(conversationId), soon);
    await vi.waitFor(() => expect(receiver.received.some(({ status }) => status === 204)).toBe(true), soon);
    expect(chunks.join('').trim().split('\n').length).toBe(1);
    const forged = { 'webhook-id': randomUUID(), 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' };
    expect(await post(forged, '{}')).toBe(400);
  } finally {
    await worker.stop();
    child.kill();
    await once(child, 'exit');
  }
});
