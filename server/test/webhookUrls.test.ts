import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../src/adapters/system.ts';
import { openWebhooks } from '../src/adapters/webhooks.ts';
import { readWebhookUrl } from '../src/config/webhookUrl.ts';
import { hostileAddresses } from './hostileEndpoints.ts';

/** Every socket that this process opens, as reported by Node. */
let dialled: unknown[] = [];
const note = (message: unknown) => void dialled.push(message);
beforeEach(() => {
  dialled = [];
  subscribe('net.client.socket', note);
});
afterEach(() => unsubscribe('net.client.socket', note));

/** Public names with a private address. Only a lookup finds that out. */
const RESOLVED = new Set(['https://127.0.0.1.nip.io/push/a', 'https://localtest.me/push/a']);

test('[HOOK-15] the addresses that are hostile as push endpoints are hostile as webhooks: none is connected to', async () => {
  expect(hostileAddresses.length).toBeGreaterThan(110);
  const resolve = vi.fn(async () => [{ address: '127.0.0.1', family: 4 }]);
  for (const webhookHosts of [[], ['hooks.internal:8443']]) {
    const { send } = openWebhooks({ webhookHosts }, systemClock, { resolve });
    for (const url of hostileAddresses) {
      const accepted = readWebhookUrl(url, webhookHosts) !== undefined;
      expect([url, accepted]).toEqual([url, RESOLVED.has(url)]);
      const problem = accepted ? 'private_address' : 'not_allowed';
      expect([url, await send(url, { headers: {}, body: '{}' })]).toEqual([url, { status: null, problem }]);
    }
  }
  expect(resolve).toHaveBeenCalledTimes(2 * RESOLVED.size);
  expect(dialled).toEqual([]);
});

test('[HOOK-15] public names are accepted, and private hosts only if an operator lists them', () => {
  for (const url of [
    'https://hooks.example.org/',
    'https://hooks.example.org/settee?shop=1',
    'https://a.b-c.xn--p1ai/',
  ]) {
    expect([url, readWebhookUrl(url, [])?.listed]).toEqual([url, false]);
  }
  const listed = ['erp.internal:8443', '10.0.0.7', 'localhost:9000'];
  for (const url of ['https://erp.internal:8443/in', 'https://10.0.0.7/in', 'https://localhost:9000/in']) {
    expect([url, readWebhookUrl(url, listed)?.listed]).toEqual([url, true]);
  }
  for (const url of ['https://erp.internal/in', 'https://10.0.0.8/in', 'http://localhost:9000/in']) {
    expect([url, readWebhookUrl(url, listed)]).toEqual([url, undefined]);
  }
});
