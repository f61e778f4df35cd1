// A real proxy with a recipe of ops/, on free ports.
import { spawn } from 'node:child_process';
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
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { makeCertificate } from '../../server/test/push/certificate.ts';
import { freePorts } from '../freePorts.ts';

const START_TIMEOUT_MS = 60_000;
const HOSTS = ['localhost', 'media.localhost'];

export type Targets = { port: number; gateways: readonly number[]; s3: string };
export type Kind = {
  /** In ops/. */
  recipe: string;
  /** Changes the recipe for this machine. */
  adapt: (recipe: string, at: Targets & { http: number; folder: string }) => string;
  command: (file: string, folder: string) => [program: string, args: string[]];
  reload: (pid: number, file: string) => void;
};

type Request = {
  host?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: Buffer;
  from?: string;
};
type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer };

export type Edge = {
  /** Its certificate, which is its own authority. */
  ca: string;
  ask: (path: string, request?: Request) => Promise<Answer>;
  reload: () => Promise<void>;
  stop: () => Promise<void>;
  /** What it logged. */
  log: () => string;
};

export async function startProxy(checkout: string, kind: Kind, targets: Targets): Promise<Edge> {
  const folder = mkdtempSync(join(tmpdir(), 'settee-proxy-'));
  const [http = 0] = await freePorts(1);
  const { port } = targets;
  const names = HOSTS.map((host) => `DNS:${host}`).join(',');
  const certificate = makeCertificate(names);
  writeFileSync(join(folder, 'privkey.pem'), certificate.key);
  writeFileSync(join(folder, 'fullchain.pem'), certificate.cert);
  certificate.remove();
  const recipe = readFileSync(join(checkout, 'ops', kind.recipe), 'utf8');
  const file = join(folder, basename(kind.recipe));
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

/** Over TLS. Trusts only this authority. `from` is the local address to use. */
function ask(ca: string, port: number, path: string, given: Request): Promise<Answer> {
  const { host = 'localhost', method = 'GET', headers = {}, body, from } = given;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...{ host: '127.0.0.1', port, servername: host, ca, path, method },
        // A new connection, because a proxy may close idle ones when it reloads.
        agent: false,
        headers: { ...headers, host: `${host}:${port}` },
        ...(from !== undefined && { localAddress: from }),
      },
      (response) => {
        const { statusCode: status = 0, headers: received } = response;
        buffer(response).then((answer) => resolve({ status, headers: received, body: answer }), reject);
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}
