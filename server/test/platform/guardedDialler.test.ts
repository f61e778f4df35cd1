import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/platform/adapters/system.ts';
import { makeVapidKey } from '../../src/platform/config/vapidKey.ts';
import { isPublicAddress } from '../../src/platform/net/publicAddresses.ts';
import type { Clock, PushSender } from '../../src/platform/ports/ports.ts';
import { openPush } from '../../src/push/webPush.adapter.ts';
import { openWebhooks } from '../../src/webhooks/webhooks.adapter.ts';
import { readWebhookUrl } from '../../src/webhooks/webhookUrl.ts';
import { makeCertificate } from '../push/certificate.ts';
import { BrowserKeys, type PushService, startPushService } from '../push/pushService.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { hostileAddresses, hostileEndpoints } from './hostileEndpoints.ts';

const NAME = 'push.rebinding.example';
const vapid = { privateKey: makeVapidKey(), subject: 'mailto:push@settee.example' };
const { p256dh, auth } = new BrowserKeys();
const payload = { kind: 'test', to: 'visitor', title: 'Notifications work' } as const;
const options = { topic: 'test', ttlSeconds: 60 };

let service: PushService;
beforeAll(async () => {
  service = await startPushService({
    certificate: makeCertificate(`DNS:localhost,DNS:${NAME},DNS:fcm.googleapis.com`),
  });
});
afterAll(() => service.stop());

/** Every socket that this process opens, as reported by Node. */
let dialled: unknown[] = [];
const note = (message: unknown) => void dialled.push(message);
beforeEach(() => {
  dialled = [];
  subscribe('net.client.socket', note);
});
afterEach(() => {
  unsubscribe('net.client.socket', note);
  service.answerWith('normally');
});

type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;
const answers = (...addresses: string[]): Resolve =>
  vi.fn(async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

function sender({
  pushHosts = [],
  clock = systemClock,
  resolve,
}: {
  pushHosts?: string[];
  clock?: Clock;
  resolve?: Resolve;
} = {}): PushSender {
  const world = { ca: service.certificate.cert, ...(resolve && { resolve }) };
  return openPush({ vapid, pushHosts }, clock, world) as PushSender;
}

const sendTo = (push: PushSender, endpoint: string) =>
  push.send({ endpoint, p256dh, auth }, payload, options);

test('[PUSH-04] the endpoints of browsers are accepted', () => {
  const push = sender({
    pushHosts: ['push.example', 'push.example:8443', '10.0.0.7:8443', '[fd00::7]:8443'],
  });
  for (const endpoint of [
    'https://fcm.googleapis.com/fcm/send/dGVzdA:APA91bF-x_Y',
    'https://jmt17.google.com/fcm/send/dGVzdA:APA91bF-x_Y',
    'https://updates.push.services.mozilla.com/wpush/v2/gAAAAABk_x-Y=',
    'https://wns2-par02p.notify.windows.com/w/?token=BQYAAAB%2fx%3d',
    'https://db5p.wns2.notify.windows.com/w/?token=a',
    'https://web.push.apple.com/QGx-y_z',
    'https://push.example/a',
    'https://push.example:8443/a',
    'https://10.0.0.7:8443/a',
    'https://[fd00::7]:8443/a',
  ]) {
    expect([endpoint, push.accepts({ endpoint, p256dh, auth })]).toEqual([endpoint, true]);
  }
});

test('[PUSH-04] hostile endpoints are refused, without a connection or a DNS lookup', async () => {
  const resolve = answers('127.0.0.1');
  for (const push of [
    sender({ resolve }),
    sender({ resolve, pushHosts: [service.host, 'push.example:8443'] }),
  ]) {
    for (const endpoint of [
      ...hostileEndpoints,
      'https://push.example/a',
      'https://push.example:8444/a',
      'https://a.push.example:8443/a',
      'https://localhost/a',
    ]) {
      expect([endpoint, push.accepts({ endpoint, p256dh, auth })]).toEqual([endpoint, false]);
      expect([endpoint, await sendTo(push, endpoint)]).toMatchObject([endpoint, { refused: true }]);
    }
  }
  expect(resolve).not.toHaveBeenCalled();
  expect(dialled).toEqual([]);
});

test('[PUSH-04] a known name with a private address is not contacted, whatever its other addresses', async () => {
  const addresses = [
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.9.9.9', '169.254.169.254', '172.31.255.255'],
    ...['192.0.0.8', '192.0.2.1', '192.88.99.1', '192.168.1.1', '198.19.0.1', '198.51.100.1', '203.0.113.9'],
    ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:a00:1', '::7f00:1', '64:ff9b::7f00:1'],
    ...['64:ff9b::808:808', '64:ff9b:1::1', '100::1', '2001::1', '2001:10::1', '2001:20::1', '2001:db8::1'],
    ...[
      '2002:7f00:1::',
      '3fff::1',
      '5f00::1',
      'fc00::1',
      'fdff::1',
      'fe80::1',
      'fe80::1%lo',
      'fec0::1',
      'ff02::1',
    ],
    ...['', 'localhost', '127.1', '0x7f000001', '2130706433'],
  ];
  for (const address of addresses) {
    expect([address, isPublicAddress(address)]).toEqual([address, false]);
    for (const resolve of [
      answers(address),
      answers('142.250.74.74', address),
      answers(address, '2a00:1450:4001::1'),
    ]) {
      const outcome = await sendTo(sender({ resolve }), 'https://fcm.googleapis.com/fcm/send/a');
      expect([address, outcome]).toEqual([address, { failed: 'private_address', refused: false }]);
    }
  }
  expect(await sendTo(sender({ resolve: answers() }), 'https://web.push.apple.com/a')).toMatchObject({
    failed: 'no_address',
  });
  expect(dialled).toEqual([]);
  for (const address of [
    '8.8.8.8',
    '142.250.74.74',
    '100.128.0.1',
    '172.32.0.1',
    '2a00:1450:4001::1',
    '2606:4700::1',
  ])
    expect([address, isPublicAddress(address)]).toEqual([address, true]);
});

test('[PUSH-04] a name is resolved once, and the connection goes to the checked address', async () => {
  const port = new URL(service.origin).port;
  const { p256dh, auth } = service.subscription('rebinding');
  // A second lookup would give another address. None happens, and no DNS server knows this name.
  const resolve = vi
    .fn<Resolve>()
    .mockResolvedValueOnce([{ address: '127.0.0.1', family: 4 }])
    .mockResolvedValue([{ address: '10.0.0.1', family: 4 }]);
  const push = sender({ pushHosts: [`${NAME}:${port}`], resolve });
  const connections = service.connections();
  // The token is for the name in the URL. This service has another name, so its refusal proves that it was reached.
  const outcome = await push.send(
    { endpoint: `https://${NAME}:${port}/push/rebinding`, p256dh, auth },
    payload,
    options,
  );
  expect(outcome).toMatchObject({ failed: 'status 403' });
  expect(service.refusals.splice(0)).toEqual([`aud is https://${NAME}:${port}`]);
  expect(resolve).toHaveBeenCalledTimes(1);
  expect(dialled).toHaveLength(1);
  expect(service.connections()).toBe(connections + 1);
});

test('[PUSH-04] TLS is verified against the name', async () => {
  const port = new URL(service.origin).port;
  const other = sender({ pushHosts: [`other.example:${port}`], resolve: answers('127.0.0.1') });
  // The log text repeats nothing from the other side's certificate.
  expect(await sendTo(other, `https://other.example:${port}/push/a`)).toEqual({
    failed: 'ERR_TLS_CERT_ALTNAME_INVALID',
    refused: false,
  });
  const untrusting = openPush({ vapid, pushHosts: [service.host] }, systemClock) as PushSender;
  expect(await sendTo(untrusting, service.endpointFor('a'))).toEqual({
    failed: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    refused: false,
  });
  expect(service.refusals).toEqual([]);
});

test('[PUSH-04] no redirect is followed', async () => {
  const elsewhere = await startPushService();
  try {
    const push = sender({ pushHosts: [service.host, elsewhere.host] });
    const { endpoint } = service.subscription('redirected');
    for (const status of [302, 308]) {
      service.answerWith((_, response) => {
        response.writeHead(status, { location: elsewhere.subscription('a').endpoint }).end();
        return status;
      });
      expect(await sendTo(push, endpoint)).toEqual({ failed: `status ${status}`, refused: true });
    }
    expect(elsewhere.connections()).toBe(0);
  } finally {
    await elsewhere.stop();
  }
});

test('[PUSH-04] only the head of an answer is read: an endless body is cut off', async () => {
  const closed = Promise.withResolvers<void>();
  let written = 0;
  const pour = (response: ServerResponse): void => {
    while (!response.destroyed && response.write(Buffer.alloc(64 * 1_024))) written += 64 * 1_024;
  };
  service.answerWith((_, response) => {
    response.writeHead(503);
    response.on('drain', () => pour(response)).on('close', closed.resolve);
    pour(response);
    return 503;
  });
  const push = sender({ pushHosts: [service.host] });
  expect(await sendTo(push, service.subscription('poured').endpoint)).toEqual({
    failed: 'status 503',
    refused: false,
  });
  await closed.promise;
  // Only what fits into the socket buffers was written.
  expect(written).toBeLessThan(32 * 1_024 * 1_024);
});

test('[PUSH-04] a request takes at most ten seconds: name, head and a slow body', async () => {
  const { endpoint } = service.subscription('slow');
  const pushHosts = [service.host];
  const lost = { failed: 'timeout', refused: false };

  const forName = fakeClock();
  const asking = Promise.withResolvers<void>();
  const never = async () => {
    asking.resolve();
    return new Promise<never>(() => {});
  };
  const waitingForName = sendTo(sender({ pushHosts, clock: forName, resolve: never }), endpoint);
  await asking.promise;
  forName.advance(10_000);
  expect(await waitingForName).toEqual(lost);
  expect(dialled).toEqual([]);

  const forHead = fakeClock();
  const asked = Promise.withResolvers<void>();
  const given = Promise.withResolvers<void>();
  service.answerWith(async (_, response) => {
    response.on('close', given.resolve);
    asked.resolve();
    return new Promise<never>(() => {});
  });
  const waitingForHead = sendTo(sender({ pushHosts, clock: forHead }), endpoint);
  await asked.promise;
  forHead.advance(10_000);
  expect(await waitingForHead).toEqual(lost);
  await given.promise;

  let slow: ServerResponse | undefined;
  service.answerWith((_, response) => {
    slow = response;
    response.writeHead(201).write('a');
    return 500;
  });
  expect(await sendTo(sender({ pushHosts, clock: fakeClock() }), endpoint)).toBe('sent');
  if (slow?.closed === false) await once(slow, 'close');
});

test('[HOOK-15] the addresses that are hostile as push endpoints are hostile as webhooks: none is connected to', async () => {
  // A public name with a private address. Only a lookup finds that out.
  const resolved = 'https://127.0.0.1.nip.io/push/a';
  const resolve = answers('127.0.0.1');
  for (const webhookHosts of [[], ['hooks.internal:8443']]) {
    const { send } = openWebhooks({ webhookHosts }, systemClock, { resolve });
    for (const url of hostileAddresses) {
      const accepted = readWebhookUrl(url, webhookHosts) !== undefined;
      expect([url, accepted]).toEqual([url, url === resolved]);
      const problem = accepted ? 'private_address' : 'not_allowed';
      expect([url, await send(url, { headers: {}, body: '{}' })]).toEqual([url, { status: null, problem }]);
    }
  }
  expect(resolve).toHaveBeenCalledTimes(2);
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
