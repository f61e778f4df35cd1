// Caddy with ops/Caddyfile, on free ports.
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { freePorts } from '../freePorts.ts';

const run = promisify(execFile);
const START_TIMEOUT_MS = 60_000;
const HOSTS = ['localhost', 'media.localhost'];

type Options = {
  caddy: string;
  checkout: string;
  port: number;
  gateways: readonly number[];
  s3: string;
  /** Lines that an operator adds to `servers` in the Caddyfile. */
  servers?: string[];
  /** Start without waiting for a gateway. */
  withoutGateways?: boolean;
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
  /** The certificate of Caddy's own authority. */
  ca: string;
  ask: (path: string, request?: Request) => Promise<Answer>;
  reload: () => Promise<void>;
  stop: () => Promise<void>;
  /** The end of Caddy's log. */
  log: () => string;
};

export async function startEdge(options: Options): Promise<Edge> {
  const { caddy, checkout, port, gateways, s3, servers = [], withoutGateways = false } = options;
  const folder = mkdtempSync(join(tmpdir(), 'settee-edge-'));
  const env = {
    ...{ HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    SETTEE_DOMAIN: `localhost:${port}`,
    SETTEE_GATEWAYS: gateways.map((each) => `127.0.0.1:${each}`).join(' '),
    SETTEE_S3: new URL(s3).host,
  };
  const [http = 0, admin = 0] = await freePorts(2);
  const caddyfile = join(folder, 'Caddyfile');
  const text = readFileSync(join(checkout, 'ops/Caddyfile'), 'utf8');
  writeFileSync(caddyfile, text.replace(/^\tservers \{$/m, ['$&', ...servers].join('\n')));
  const { stdout } = await run(caddy, ['adapt', '--config', caddyfile, '--adapter', 'caddyfile'], { env });
  const config = JSON.parse(stdout) as CaddyConfig;
  // Another web server may use the default ports.
  config.apps.http.http_port = http;
  config.admin = { listen: `127.0.0.1:${admin}` };
  const file = join(folder, 'caddy.json');
  writeFileSync(file, JSON.stringify(config));
  const child = spawn(caddy, ['run', '--config', file], { cwd: '/', env, stdio: 'pipe' });
  process.once('exit', () => child.kill('SIGKILL'));
  let log = '';
  child.stderr.on('data', (bytes: Buffer) => {
    log = (log + bytes.toString()).slice(-20_000);
  });
  child.stdout.resume();
  const ended = new Promise<void>((done) => child.once('exit', () => done()));

  const root = join(folder, 'caddy/pki/authorities/local/root.crt');
  const edge: Edge = {
    ca: '',
    ask: (path, given = {}) => ask(edge.ca, port, path, given),
    async reload() {
      // Caddy ignores a reload with the same configuration.
      const logs = { ...config.logging?.logs, default: { ...config.logging?.logs.default, level: 'WARN' } };
      writeFileSync(file, JSON.stringify({ ...config, logging: { logs } }));
      await run(caddy, ['reload', '--config', file, '--address', `127.0.0.1:${admin}`]);
    },
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(timer);
      rmSync(folder, { recursive: true, force: true });
    },
    log: () => log,
  };
  const [host, status] = withoutGateways
    ? (['media.localhost', 404] as const)
    : (['localhost', 200] as const);
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    if (existsSync(root)) {
      edge.ca = readFileSync(root, 'utf8');
      // Each host has its own certificate. One can be ready before the other.
      const secured = await Promise.all(HOSTS.map((each) => hasCertificate(edge.ca, port, each)));
      if (secured.every(Boolean)) {
        const answer = await edge.ask('/brand', { host }).catch(() => undefined);
        if (answer?.status === status) return edge;
      }
    }
    if (performance.now() > deadline || child.exitCode !== null) {
      await edge.stop();
      throw new Error(`Caddy did not start. Its output:\n${log}`);
    }
    await sleep(100);
  }
}

function hasCertificate(ca: string, port: number, servername: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, servername, ca }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Over TLS. Trusts only this authority. `from` is the local address to use. */
export function ask(ca: string, port: number, path: string, given: Request): Promise<Answer> {
  const { host = 'localhost', method = 'GET', headers = {}, body, from } = given;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...{ host: '127.0.0.1', port, servername: host, ca, path, method },
        // A new connection, because Caddy closes idle ones when it reloads.
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

type CaddyConfig = {
  apps: { http: { http_port?: number } };
  admin?: { listen: string };
  logging?: { logs: { default?: object } };
};
