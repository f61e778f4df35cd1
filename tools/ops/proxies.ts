// The recipes for an existing proxy (ops/proxy), with the real programs: nginx, Caddy and Traefik.
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freePorts } from '../freePorts.ts';
import { nginxRoot, pythonProgram } from '../programs.ts';
import { CADDY, forwardsImages, keepsSockets } from './caddy.ts';
import { type Edge, type Kind, startProxy, type Targets } from './edge.ts';
import type { Installation } from './installation.ts';
import type { Tests } from './tests.ts';

/** An address of this machine that only the test's visitor uses. */
const VISITOR = '127.0.0.2';
/** The largest request to a gateway is a profile picture. */
const PICTURE_BYTES = 3_900_000;
const KINDS: Record<string, Kind> = {
  nginx: {
    recipe: 'proxy/nginx.conf',
    adapt: (recipe, { port, http, folder }) => `pid ${folder}/pid;
daemon off;
user root;
events {}
http {
access_log ${folder}/access.log;
error_log ${folder}/error.log;
${recipe
  .replaceAll(/^\tlisten \[::\].*$/gm, '')
  .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
  .replaceAll('listen 80', `listen 127.0.0.1:${http}`)
  .replaceAll('/var/log/nginx', folder)
  .replaceAll(/\/etc\/letsencrypt\/live\/\w[\w.]*/g, folder)}
}`,
    command: (file, folder) => {
      const root = nginxRoot();
      return [
        'bwrap',
        [
          ...['usr', 'etc'].flatMap((name) => ['--ro-bind', join(root, name), `/${name}`]),
          ...['bin', 'sbin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
          ...['--dir', '/var/lib/nginx', '--dir', '/var/log/nginx', '--dev', '/dev', '--proc', '/proc'],
          ...['--bind', folder, folder, '--die-with-parent', '/usr/sbin/nginx', '-c', file, '-e', 'stderr'],
        ],
      ];
    },
    reload: (pid) => process.kill(pid, 'SIGHUP'),
  },
  Caddy: {
    recipe: 'proxy/Caddyfile',
    adapt: (recipe, { port, http, folder }) =>
      `{\n\tadmin unix/${folder}/admin\n\thttp_port ${http}\n${logBlocks()}\n}\n${recipe.replaceAll(
        /^((?:media\.)?localhost) \{$/gm,
        `https://$1:${port} {\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`,
      )}`,
    ...CADDY,
  },
  Traefik: {
    recipe: 'proxy/traefik.yaml',
    adapt: (recipe, { port, folder }) => `${recipe
      .replace('":443"', `127.0.0.1:${port}`)
      .replaceAll('tls: { certResolver: letsencrypt }', 'tls: {}')}
tls:
  certificates:
    - { certFile: ${folder}/fullchain.pem, keyFile: ${folder}/privkey.pem }
`,
    command: (file, folder) => {
      // The comment of the recipe has the lines for Traefik's own configuration.
      const entryPoints = /^# +(entryPoints: .*)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
      const own = join(folder, 'own.yaml');
      const providers = `{ providersThrottleDuration: 0, file: { filename: ${file} } }`;
      writeFileSync(own, `${entryPoints}\nproviders: ${providers}\nglobal: { checkNewVersion: false }\n`);
      return [pythonProgram('traefik'), ['--configFile', own]];
    },
    // It watches its file, and ignores one with the same content.
    reload: (_pid, file) => {
      writeFileSync(file, readFileSync(file, 'utf8').replace('stsSeconds: 31536000', 'stsSeconds: 1'));
    },
  },
};

/** As the recipe says: those of ops/Caddyfile. */
function logBlocks(): string {
  const text = readFileSync(join(import.meta.dirname, '../../ops/Caddyfile'), 'utf8');
  return [...text.matchAll(/^\tlog[^\n]*\{\n[\s\S]*?\n\t\}$/gm)].map(([block]) => block).join('\n');
}

export async function proxies(
  checkout: string,
  tests: Tests,
  installation: Installation,
  idleSeconds: number,
): Promise<void> {
  const { environment, ports, edgePort } = installation;
  for (const [name, kind] of Object.entries(KINDS)) {
    const adapt: Kind['adapt'] = (recipe, at) => kind.adapt(forTargets(recipe, at), at);
    const start = (targets: Targets): Promise<Edge> => startProxy(checkout, { ...kind, adapt }, targets);
    await tests.run(`your own ${name} forwards one address and a large request, and logs nothing`, () =>
      forwards(start),
    );
    await tests.run(
      `your own ${name} keeps idle sockets, and forwards only images of the bucket`,
      async () => {
        const s3 = new URL(environment.S3_ENDPOINT ?? '').host;
        const edge = await start({ port: edgePort, gateways: ports.slice(0, 1), s3 });
        try {
          assert.equal((await edge.ask('/brand')).status, 200);
          await keepsSockets(edge, installation, idleSeconds);
          await forwardsImages(edge, environment);
        } finally {
          await edge.stop();
        }
      },
    );
  }
}

const forTargets = (recipe: string, { gateways, s3 }: Targets): string =>
  recipe
    .replaceAll('/live/chat.example.org', '/live/x')
    .replaceAll('chat.example.org', 'localhost')
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${gateways[0]}`)
    .replaceAll('127.0.0.1:8333', s3);

async function forwards(start: (targets: Targets) => Promise<Edge>): Promise<void> {
  const received: [string | undefined, number][] = [];
  const gateway = createServer((request, answer) => {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => {
      received.push([request.headersDistinct['x-forwarded-for']?.join('; '), bytes]);
      answer.end();
    });
  }).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  const [port = 0] = await freePorts(1);
  const gateways = [(gateway.address() as AddressInfo).port];
  const edge = await start({ port, gateways, s3: '127.0.0.1:1' });
  const canary = `canary${randomUUID()}`;
  const headers = {
    'x-forwarded-for': '203.0.113.7, 198.51.100.9',
    referer: `https://localhost/i/${canary}`,
  };
  try {
    const body = randomBytes(PICTURE_BYTES);
    const sent = {
      from: VISITOR,
      method: 'POST',
      headers: { ...headers, 'content-length': String(body.length) },
    };
    assert.equal((await edge.ask(`/i/${canary}`, { ...sent, body })).status, 200);
    gateway.close();
    gateway.closeAllConnections();
    assert.equal((await edge.ask(`/i/${canary}`, { from: VISITOR, headers })).status, 502);
    assert.deepEqual(received, [[VISITOR, PICTURE_BYTES]]);
  } finally {
    await edge.stop();
  }
  for (const text of [canary, VISITOR])
    assert(!edge.log().includes(text), `It logged ${text}:\n${edge.log()}`);
}
