import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { LiveClient } from '../../server/test/support/client.ts';
import { s3Media, systemClock } from '../../server/testing/installation.ts';
import { readConfig } from '../../server/testing/rules.ts';
import { waitUntil } from '../engines/process.ts';
import { freePorts } from '../freePorts.ts';
import { caddyProgram } from '../programs.ts';
import { type Edge, startEdge } from './edge.ts';
import type { Installation } from './installation.ts';
import type { Tests } from './tests.ts';

const run = promisify(execFile);
const ANSWER_TIMEOUT_MS = 60_000;
/** An address of this machine that only the test's visitor uses. */
const VISITOR = '127.0.0.2';
const [FORGED, CLIENT] = ['203.0.113.7', '198.51.100.9'];

export async function caddy(
  checkout: string,
  tests: Tests,
  installation: Installation,
  idleSeconds: number,
): Promise<void> {
  const program = await tests.run('Caddy accepts the Caddyfile', async () => {
    const found = caddyProgram();
    const file = join(checkout, 'ops/Caddyfile');
    await run(found, ['validate', '--config', file, '--adapter', 'caddyfile']);
    await run(found, ['fmt', '--diff', file]);
    return found;
  });
  if (program === undefined) return;
  const { environment, ports, edgePort } = installation;
  const options = { caddy: program, checkout };
  const alone = async (gateway: number, servers: string[] = []): Promise<Edge> => {
    const [port = 0] = await freePorts(1);
    const behind = { gateways: [gateway], s3: 'http://127.0.0.1:1', withoutGateways: true };
    return startEdge({ ...options, ...behind, port, servers });
  };
  await tests.run('[PRIVACY-18] without a gateway, the log of Caddy contains nothing about the visitor', () =>
    logsNoVisitors(alone),
  );
  await tests.run('the gateway receives one client address, also behind another proxy', () =>
    forwardsOneAddress(alone),
  );
  const edge = await tests.run('Caddy starts with its own certificate', () =>
    startEdge({ ...options, port: edgePort, gateways: ports, s3: environment.S3_ENDPOINT ?? '' }),
  );
  if (edge === undefined) return;
  try {
    await tests.run('Caddy serves pages over TLS, without HSTS on localhost', async () => {
      for (const [host, expected] of [
        ['localhost', 200],
        ['media.localhost', 404],
      ] as const) {
        const { status, headers } = await edge.ask('/brand', { host });
        assert.deepEqual([status, headers['strict-transport-security']], [expected, undefined], host);
      }
    });
    await tests.run('Caddy compresses no answer of a call', async () => {
      const { headers } = await edge.ask('/brand', { headers: { 'accept-encoding': 'gzip, zstd' } });
      assert.equal(headers['content-encoding'], undefined);
    });
    await tests.run(`a socket survives ${idleSeconds} idle seconds and a reload`, () =>
      keepsSockets(edge, installation, idleSeconds),
    );
    await tests.run('Caddy forwards signed image addresses, and nothing else of the bucket', () =>
      forwardsImages(edge, environment),
    );
    // Last, because it uses up the rate limit of this address.
    await tests.run('a client cannot forge its address', () => limitsByAddress(edge, installation));
  } finally {
    await edge.stop();
  }
}

type StartAlone = (gateway: number, servers?: string[]) => Promise<Edge>;

async function logsNoVisitors(start: StartAlone): Promise<void> {
  const [unused = 0] = await freePorts(1);
  const edge = await start(unused);
  try {
    const canary = `canary${randomUUID()}`;
    const headers = { 'user-agent': canary, referer: `https://localhost/i/${canary}`, cookie: `a=${canary}` };
    const { status } = await edge.ask(`/i/${canary}?from=${canary}`, { from: VISITOR, headers });
    assert.equal(status, 502);
    assert(
      await waitUntil(() => edge.log().includes('http.log.error'), 60),
      `Caddy logged no error:\n${edge.log()}`,
    );
    for (const text of [canary, VISITOR])
      assert(!edge.log().includes(text), `Caddy logged ${text}:\n${edge.log()}`);
  } finally {
    await edge.stop();
  }
}

/** First with Caddy as the only proxy, then behind another proxy that adds the address of its client. */
async function forwardsOneAddress(start: StartAlone): Promise<void> {
  const received: (string | undefined)[] = [];
  const gateway = createServer((request, answer) => {
    received.push(request.headersDistinct['x-forwarded-for']?.join('; '));
    answer.end();
  }).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  const trusted = [`trusted_proxies static ${VISITOR}`, 'trusted_proxies_strict'];
  try {
    for (const servers of [[], trusted]) {
      const edge = await start((gateway.address() as AddressInfo).port, servers);
      const headers = { 'x-forwarded-for': `${FORGED}, ${CLIENT}` };
      try {
        await edge.ask('/', { from: VISITOR, headers });
      } finally {
        await edge.stop();
      }
    }
  } finally {
    gateway.close();
  }
  assert.deepEqual(received, [VISITOR, CLIENT]);
}

export async function keepsSockets(
  edge: Edge,
  { origin, chat }: Installation,
  idleSeconds: number,
): Promise<void> {
  const socket = await LiveClient.open(origin, origin, chat.visitor.token, { ca: edge.ca });
  try {
    await sleep(idleSeconds * 1_000);
    await edge.reload();
    await sleep(1_000);
    assert.equal(socket.closed, undefined);
    socket.send({ type: 'watch', conversationId: chat.conversationId });
    await socket.next('watched', undefined, ANSWER_TIMEOUT_MS);
  } finally {
    socket.close();
  }
}

export async function forwardsImages(edge: Edge, environment: Record<string, string>): Promise<void> {
  const { s3 } = readConfig(environment);
  assert(s3 !== undefined);
  const store = s3Media(s3, systemClock);
  const [path, image, type] = [`uploads/${randomUUID()}`, randomBytes(64), 'image/png'];
  const ask = async (address: string, more: object = {}): Promise<string> => {
    const { hostname, pathname, search } = new URL(address);
    const { status, body } = await edge.ask(pathname + search, { host: hostname, ...more });
    return `${status} ${body.equals(image) ? 'image' : ''}`.trim();
  };
  const upload = await store.signUpload(path, { type, bytes: image.length, seconds: 60 });
  const headers = { 'content-type': type, 'content-length': String(image.length) };
  const download = await store.signDownload(path, 60);
  const bucket = new URL(`/${s3.bucket}/`, s3.publicEndpoint).href;
  const answers = {
    put: await ask(upload, { method: 'PUT', headers, body: image }),
    get: await ask(download),
    unsigned: await ask(download.replace(/\?.*$/, '')),
    list: await ask(bucket),
    root: await ask(new URL('/', bucket).href),
  };
  await store.remove(path);
  assert.deepEqual(answers, { put: '200', get: '200 image', unsigned: '403', list: '404', root: '404' });
}

async function limitsByAddress(edge: Edge, { environment, chat }: Installation): Promise<void> {
  const limit = readConfig(environment).lookupsPerMinute;
  // All at once: each of the two gateways counts for a minute, and a busy machine may need longer for one after another.
  const answers = await Promise.all(
    Array.from({ length: 2 * limit + 2 }, (_, index) => {
      const headers = { 'x-forwarded-for': `203.0.113.${index + 1}` };
      return edge.ask(`/checkInvite/${chat.invite}`, { headers });
    }),
  );
  const statuses = new Set(answers.map(({ status }) => status));
  assert(statuses.has(429), `Lookups were answered with ${[...statuses].join(', ')} only.`);
}
