import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { buildPushPayload } from '@block65/webcrypto-web-push';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeVapidKey, vapidPublicKey } from '../../src/config/vapidKey.ts';
import { startPushService } from './pushService.ts';
import { pushServiceAt } from './remote.ts';
import type { BrowserSubscription, PushService } from './service.ts';

const privateKey = makeVapidKey();
const vapid = { privateKey, publicKey: vapidPublicKey(privateKey) ?? '', subject: 'mailto:a@settee.example' };

let service: PushService;
beforeAll(async () => {
  service = await startPushService({ publicKey: vapid.publicKey });
  setDefaultCACertificates([...getCACertificates('default'), service.certificate.cert]);
});
afterAll(() => service.stop());

type Request = { url: string; headers: Record<string, string>; body: Uint8Array<ArrayBuffer> };

async function push(
  change: (request: Request) => void,
  { subscription = service.subscription('browser'), keys = vapid } = {},
): Promise<number> {
  const { endpoint, p256dh, auth } = subscription;
  const { headers, body } = await buildPushPayload(
    { data: { hello: 'there' }, options: { ttl: 60, topic: 'a-topic' } },
    { endpoint, expirationTime: null, keys: { p256dh, auth } },
    keys,
  );
  const { 'content-length': _, ...sent } = headers;
  const request: Request = { url: endpoint, headers: sent, body };
  change(request);
  const answer = await fetch(request.url, { method: 'POST', headers: request.headers, body: request.body });
  return answer.status;
}

test('the test push service accepts valid requests and refuses invalid ones', async () => {
  expect(await push(() => {})).toBe(201);
  expect(service.received('browser').map(({ payload }) => payload)).toEqual([{ hello: 'there' }]);

  const otherKey = makeVapidKey();
  const other = { ...vapid, privateKey: otherKey, publicKey: vapidPublicKey(otherKey) ?? '' };
  const elsewhere: BrowserSubscription = {
    ...service.subscription('browser'),
    endpoint: 'https://push.example/a',
  };
  const wrong: [status: number, why: RegExp, () => Promise<number>][] = [
    [403, /no VAPID/, () => push(({ headers }) => delete headers.authorization)],
    [403, /another VAPID key/, () => push(() => {}, { keys: other })],
    [
      403,
      /signature/,
      () =>
        push(
          ({ headers }) =>
            (headers.authorization = headers.authorization?.replace(/.{9}, k=/, 'AAAAAAAAA, k=') ?? ''),
        ),
    ],
    [
      403,
      /aud is https:\/\/push.example/,
      () => push((request) => (request.url = service.endpointFor('browser')), { subscription: elsewhere }),
    ],
    [403, /no sub/, () => push(() => {}, { keys: { ...vapid, subject: 'me' } })],
    [400, /TTL/, () => push(({ headers }) => delete headers.ttl)],
    [400, /topic/, () => push(({ headers }) => (headers.topic = 'a topic'))],
    [400, /aes128gcm/, () => push(({ headers }) => (headers['content-encoding'] = 'aesgcm'))],
    [400, /authenticate/, () => push(({ body }) => (body[200] = (body[200] ?? 0) ^ 1))],
    [400, /authenticate/, () => push((request) => (request.url = service.subscription('another').endpoint))],
  ];
  for (const [status, why, send] of wrong) {
    expect([why, await send()]).toEqual([why, status]);
    expect(service.refusals.at(-1)).toMatch(why);
  }
  expect(service.received('browser')).toHaveLength(1);
  expect(service.received('another')).toEqual([]);
  expect(await push((request) => (request.url = service.endpointFor('unknown')))).toBe(404);
});

test('another process can use it too', async () => {
  const remote = pushServiceAt(service.origin);
  const subscription = await remote.subscription('far');
  expect(subscription).toEqual(service.subscription('far'));
  await remote.answerWith(410, 'far');
  expect(await push(() => {}, { subscription })).toBe(410);
  await remote.answerWith('normally', 'far');
  expect(await push(() => {}, { subscription })).toBe(201);
  expect((await remote.received('far')).map(({ payload }) => payload)).toEqual([{ hello: 'there' }]);
});
