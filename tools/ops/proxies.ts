// The recipes for an existing proxy (ops/proxy), with the real programs: nginx and Caddy.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { makeCertificate } from '../../server/test/push/certificate.ts';
import { freePorts } from '../freePorts.ts';
import { caddyProgram, nginxRoot } from '../programs.ts';
import { forwardsImages, keepsSockets } from './caddy.ts';
import { ask, type Edge } from './edge.ts';
import type { Installation } from './installation.ts';
import type { Tests } from './tests.ts';

const START_TIMEOUT_MS = 60_000;
/** An address of this machine that only the test's visitor uses. */
const VISITOR = '127.0.0.2';
/** The largest request to a gateway is a profile picture. */
const PICTURE_BYTES = 3_900_000;
const HOSTS = ['localhost', 'media.localhost'];

type Targets = { port: number; gateway: number; s3: string };
type Kind = {
  recipe: string;
  /** Changes the recipe for this machine. */
  adapt: (recipe: string, at: Targets & { http: number; folder: string }) => string;
  command: (file: string, folder: string) => [program: string, args: string[]];
  reload: (pid: number, file: string) => void;
};

const KINDS: Record<string, Kind> = {
  nginx: {
    recipe: 'nginx.conf',
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
    recipe: 'Caddyfile',
    adapt: (recipe, { port, http, folder }) =>
      `{\n\tadmin unix/${folder}/admin\n\thttp_port ${http}\n${logBlocks()}\n}\n${recipe.replaceAll(
        /^((?:media\.)?localhost) \{$/gm,
        `https://$1:${port} {\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`,
      )}`,
    command: (file) => [caddyProgram(), ['run', '--config', file, '--adapter', 'caddyfile']],
    reload: (_pid, file) => {
      const address = /admin (\S+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
      const args = ['reload', '--force', '--config', file, '--adapter', 'caddyfile', '--address', address];
      execFileSync(caddyProgram(), args, { stdio: 'pipe' });
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
    const start = (targets: Targets): Promise<Edge> => startProxy(checkout, kind, targets);
    await tests.run(`your own ${name} forwards one address and a large request, and logs nothing`, () =>
      forwards(start),
    );
    await tests.run(
      `your own ${name} keeps idle sockets, and forwards only images of the bucket`,
      async () => {
        const s3 = new URL(environment.S3_ENDPOINT ?? '').host;
        const edge = await start({ port: edgePort, gateway: ports[0], s3 });
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
  const edge = await start({ port, gateway: (gateway.address() as AddressInfo).port, s3: '127.0.0.1:1' });
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

async function startProxy(checkout: string, kind: Kind, targets: Targets): Promise<Edge> {
  const folder = mkdtempSync(join(tmpdir(), 'settee-proxy-'));
  const [http = 0] = await freePorts(1);
  const { port, gateway, s3 } = targets;
  const names = HOSTS.map((host) => `DNS:${host}`).join(',');
  const certificate = makeCertificate(names);
  writeFileSync(join(folder, 'privkey.pem'), certificate.key);
  writeFileSync(join(folder, 'fullchain.pem'), certificate.cert);
  certificate.remove();
  const recipe = readFileSync(join(checkout, 'ops/proxy', kind.recipe), 'utf8')
    .replaceAll('/live/chat.example.org', '/live/x')
    .replaceAll('chat.example.org', 'localhost')
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${gateway}`)
    .replaceAll('127.0.0.1:8333', s3);
  const file = join(folder, 'proxy.conf');
  writeFileSync(file, kind.adapt(recipe, { ...targets, http, folder }));
  const [program, args] = kind.command(file, folder);
  mkdirSync(join(folder, 'home'));
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: join(folder, 'home') },
  });
  process.once('exit', () => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += String(bytes)));
  const ended = once(child, 'exit');
  /** In its shell, nginx has another id. Without it, its workers would keep the port. */
  const pid = (): number => {
    const named = join(folder, 'pid');
    return existsSync(named) ? Number(readFileSync(named, 'utf8')) : (child.pid ?? 0);
  };
  const ca = certificate.cert;
  /** Of its files, read before the folder is removed. */
  let logs = '';
  const edge: Edge = {
    ca,
    ask: (path, given = {}) => ask(ca, port, path, given),
    async reload() {
      kind.reload(pid(), file);
    },
    async stop() {
      if (child.exitCode === null) process.kill(pid(), 'SIGTERM');
      await ended;
      for (const name of readdirSync(folder).filter((each) => each.endsWith('.log')))
        logs += readFileSync(join(folder, name), 'utf8');
      rmSync(folder, { recursive: true, force: true });
    },
    log: () => output + logs,
  };
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!(await accepts(ca, port))) {
    if (performance.now() > deadline || child.exitCode !== null) {
      await edge.stop();
      throw new Error(`The proxy did not start:\n${edge.log()}`);
    }
    await sleep(100);
  }
  return edge;
}

function accepts(ca: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, servername: 'localhost', ca }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
