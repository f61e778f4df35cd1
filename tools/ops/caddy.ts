import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LiveClient } from '../../server/test/support/client.ts';
import { s3Media, systemClock } from '../../server/testing/installation.ts';
import { readConfig } from '../../server/testing/rules.ts';
import { waitUntil } from '../engines/process.ts';
import { freePorts } from '../freePorts.ts';
import { caddyProgram } from '../programs.ts';
import { type Edge, type Kind, startProxy } from './edge.ts';
import type { Installation } from './installation.ts';
import type { Tests } from './tests.ts';

const ANSWER_TIMEOUT_MS = 60_000;
/** An address of this machine that only the test's visitor uses. */
const VISITOR = '127.0.0.2';
const [FORGED, CLIENT] = ['203.0.113.7', '198.51.100.9'];

/** How to start and reload it, with its admin API at a socket. */
export const CADDY: Pick<Kind, 'command' | 'reload'> = {
  command: (file) => [caddyProgram(), ['run', '--config', file, '--adapter', 'caddyfile']],
  reload: (_pid, file) => {
    const address = /admin (\S+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
    const args = ['reload', '--force', '--config', file, '--adapter', 'caddyfile', '--address', address];
    execFileSync(caddyProgram(), args, { stdio: 'pipe' });
  },
};

/** With ops/Caddyfile, and lines that an operator adds to `servers` in it. */
const shipped = (servers: string[]): Kind => ({
  ...CADDY,
  recipe: 'Caddyfile',
  adapt: (recipe, { port, http, folder, gateways, s3 }) =>
    recipe
      .replace(/^\{$/m, `{\n\tadmin unix/${folder}/admin\n\thttp_port ${http}`)
      .replace(/^\tservers \{$/m, ['$&', ...servers].join('\n'))
      .replaceAll(
        /^(.*)\{\$SETTEE_DOMAIN:localhost\} \{$/gm,
        `https://$1localhost:${port} {\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`,
      )
      .replace('{$SETTEE_GATEWAYS:app:8080}', gateways.map((each) => `127.0.0.1:${each}`).join(' '))
      .replace('{$SETTEE_S3:s3:8333}', s3),
});

export async function caddy(
  checkout: string,
  tests: Tests,
  installation: Installation,
  idleSeconds: number,
): Promise<void> {
  await tests.run('Caddy accepts the Caddyfile', () => {
    const file = join(checkout, 'ops/Caddyfile');
    for (const args of [
      ['validate', '--config', file, '--adapter', 'caddyfile'],
      ['fmt', '--diff', file],
    ])
      execFileSync(caddyProgram(), args, { stdio: 'pipe' });
  });
  const { environment, ports, edgePort } = installation;
  const alone = async (gateway: number, servers: string[] = []): Promise<Edge> => {
    const [port = 0] = await freePorts(1);
    return startProxy(checkout, shipped(servers), { port, gateways: [gateway], s3: '127.0.0.1:1' });
  };
  await tests.run('[PRIVACY-18] without a gateway, the log of Caddy contains nothing about the visitor', () =>
    logsNoVisitors(alone),
  );
  await tests.run('the gateway receives one client address, also behind another proxy', () =>
    forwardsOneAddress(alone),
  );
  const s3 = new URL(environment.S3_ENDPOINT ?? '').host;
  const edge = await startProxy(checkout, shipped([]), { port: edgePort, gateways: ports, s3 });
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
