import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { s3Media } from '../../server/src/adapters/s3Media.ts';
import { systemClock } from '../../server/src/adapters/system.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { LiveClient } from '../../server/test/client.ts';
import { caddyAlone } from './caddyAlone.ts';
import { Edge } from './edge.ts';
import type { Standing } from './production.ts';
import { caddyProgram } from './programs.ts';
import type { Tests } from './tests.ts';

const run = promisify(execFile);

const ANSWERS_WITHIN_MS = 20_000;

export async function caddy(
  checkout: string,
  tests: Tests,
  standing: Standing,
  idleSeconds: number,
): Promise<void> {
  const program = await tests.run('[OPEN-255] Caddy is there, and takes the Caddyfile', async () => {
    const found = await caddyProgram();
    const file = join(checkout, 'ops/Caddyfile');
    await run(found, ['validate', '--config', file, '--adapter', 'caddyfile']);
    await run(found, ['fmt', '--diff', file]);
    return found;
  });
  if (program === undefined) return;
  await caddyAlone(tests, { caddy: program, checkout, user: standing.installed.user });
  const edge = await tests.run('[OPEN-255] it starts, with a certificate of its own', () => {
    const { installed, environment, ports, edgePort } = standing;
    return Edge.start({
      ...{ caddy: program, checkout, port: edgePort, gateways: ports, user: installed.user },
      s3: environment.S3_ENDPOINT ?? '',
    });
  });
  if (edge === undefined) return;
  try {
    await tests.run(
      '[OPEN-255] it serves pages over TLS, and tells nobody to insist on it for localhost',
      async () => {
        for (const [host, expected] of [
          ['localhost', 200],
          ['media.localhost', 404],
        ] as const) {
          const { status, headers } = await edge.ask('/', { host });
          if (status !== expected || headers['strict-transport-security'] !== undefined)
            throw new Error(`${host} answered ${status} ${JSON.stringify(headers)}`);
        }
      },
    );
    await tests.run(`[OPEN-255] a socket stays open, idle for ${idleSeconds} s and through a reload`, () =>
      staysOpen(edge, standing, idleSeconds),
    );
    await tests.run('[OPEN-255] a signed address leads through to the bucket, and nothing else does', () =>
      reachesImages(edge, standing.environment),
    );
    // Last: it uses up what this address may look up.
    await tests.run('[OPEN-255] whatever address a client claims, Caddy’s word counts', () =>
      countsByAddress(edge, standing),
    );
  } finally {
    await edge.stop();
  }
}

async function staysOpen(edge: Edge, { origin, chat }: Standing, idleSeconds: number): Promise<void> {
  const socket = await LiveClient.open(origin, origin, chat.visitor.token, { ca: edge.ca });
  try {
    await sleep(idleSeconds * 1_000);
    await edge.reload();
    await sleep(1_000);
    if (socket.closed !== undefined) throw new Error(`it was closed: ${JSON.stringify(socket.closed)}`);
    socket.say({ type: 'watch', conversationId: chat.conversationId });
    await socket.next('watched', undefined, ANSWERS_WITHIN_MS);
  } finally {
    socket.close();
  }
}

async function reachesImages(edge: Edge, environment: Record<string, string>): Promise<void> {
  const { s3 } = readConfig(environment);
  if (s3 === undefined) throw new Error('there is no S3 in this environment');
  const store = s3Media(s3, systemClock);
  const [path, image] = [`uploads/${randomUUID()}`, randomBytes(64)];
  const type = 'image/png';
  const ask = async (address: string, more: object = {}): Promise<string> => {
    const { hostname, pathname, search } = new URL(address);
    const { status, body } = await edge.ask(pathname + search, { host: hostname, ...more });
    return `${status} ${body.equals(image) ? 'the image' : ''}`;
  };
  const put = await store.signUpload(path, { type, bytes: image.length, seconds: 60 });
  const headers = { 'content-type': type, 'content-length': String(image.length) };
  const got = await store.signDownload(path, 60);
  const bucket = new URL(`/${s3.bucket}/`, s3.publicEndpoint).href;
  const answers = {
    put: await ask(put, { method: 'PUT', headers, body: image }),
    get: await ask(got),
    unsigned: await ask(got.replace(/\?.*$/, '')),
    list: await ask(bucket),
    elsewhere: await ask(new URL('/', bucket).href),
  };
  await store.remove(path);
  const expected = { put: '200 ', get: '200 the image', unsigned: '403 ', list: '404 ', elsewhere: '404 ' };
  if (JSON.stringify(answers) !== JSON.stringify(expected)) throw new Error(JSON.stringify(answers));
}

async function countsByAddress(edge: Edge, { environment, chat }: Standing): Promise<void> {
  const limit = readConfig(environment).lookupsPerMinute;
  const statuses = new Set<number>();
  for (let claimed = 1; claimed <= 2 * limit + 2; claimed++) {
    const headers = { 'x-forwarded-for': `203.0.113.${claimed}` };
    statuses.add((await edge.ask(`/checkInvite/${chat.invite}`, { headers })).status);
  }
  if (!statuses.has(429)) throw new Error(`look-ups were answered with ${[...statuses].join(', ')} only`);
}
