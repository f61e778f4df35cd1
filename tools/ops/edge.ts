// Caddy with our Caddyfile, on ports of its own and as nobody special.
import { execFile, spawn } from 'node:child_process';
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePorts } from '../freePorts.ts';

const run = promisify(execFile);
const STARTS_WITHIN_MS = 30_000;

type Parts = {
  caddy: string;
  checkout: string;
  port: number;
  gateways: readonly number[];
  s3: string;
  user: { uid?: number; gid?: number };
  /** Lines for `servers` of the Caddyfile, as an operator adds them. */
  servers?: string[];
  /** What Caddy itself answers, where no gateway stands behind it. */
  withoutGateways?: boolean;
};

export type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer };
/** `from`: which address of this machine asks. */
export type Ask = {
  host?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: Buffer;
  from?: string;
};

export class Edge {
  readonly ca: string;
  readonly port: number;
  readonly #running: Running;

  private constructor(ca: string, port: number, running: Running) {
    this.ca = ca;
    this.port = port;
    this.#running = running;
  }

  static async start(parts: Parts): Promise<Edge> {
    const { caddy, checkout, port, gateways, s3, user, servers = [] } = parts;
    const folder = mkdtempSync(join(tmpdir(), 'settee-edge-'));
    const env = {
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      SETTEE_DOMAIN: `localhost:${port}`,
      SETTEE_GATEWAYS: gateways.map((each) => `127.0.0.1:${each}`).join(' '),
      SETTEE_S3: new URL(s3).host,
    };
    const [http = 0, admin = 0] = await freePorts(2);
    const file = join(folder, 'caddy.json');
    const caddyfile = join(folder, 'Caddyfile');
    const text = readFileSync(join(checkout, 'ops/Caddyfile'), 'utf8');
    writeFileSync(caddyfile, text.replace(/^\tservers \{$/m, ['$&', ...servers].join('\n')));
    const config = await adapted(caddy, caddyfile, env);
    // Beside us others may run a web server, or another Caddy.
    config.apps.http.http_port = http;
    config.admin = { listen: `127.0.0.1:${admin}` };
    writeFileSync(file, JSON.stringify(config));
    for (const path of [folder, file]) if (user.uid) chownSync(path, user.uid, user.gid ?? 0);
    mkdirSync(join(folder, 'caddy'), { recursive: true });
    if (user.uid) chownSync(join(folder, 'caddy'), user.uid, user.gid ?? 0);
    // The cache that it comes from may be in a home that this user cannot enter.
    const program = join(folder, 'caddy-program');
    copyFileSync(caddy, program);
    const child = spawn(program, ['run', '--config', file], { cwd: '/', env, stdio: 'pipe', ...user });
    process.once('exit', () => child.kill('SIGKILL'));
    let said = '';
    child.stderr.on('data', (bytes: Buffer) => {
      said = (said + bytes.toString()).slice(-20_000);
    });
    child.stdout.resume();
    const gone = new Promise<void>((done) => child.once('exit', () => done()));
    const stop = async (): Promise<void> => {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await gone;
      clearTimeout(late);
      rmSync(folder, { recursive: true, force: true });
    };
    const reload = async (): Promise<void> => {
      // A Caddy that sees the same configuration again does nothing.
      const log = { ...config.logging?.logs.default, level: 'WARN' };
      writeFileSync(
        file,
        JSON.stringify({ ...config, logging: { logs: { ...config.logging?.logs, default: log } } }),
      );
      await run(caddy, ['reload', '--config', file, '--address', `127.0.0.1:${admin}`]);
    };
    const running = { reload, stop, said: () => said };
    const [awaited, status] = parts.withoutGateways
      ? (['media.localhost', 404] as const)
      : (['localhost', 200] as const);
    try {
      const root = join(folder, 'caddy/pki/authorities/local/root.crt');
      const deadline = performance.now() + STARTS_WITHIN_MS;
      for (;;) {
        if (existsSync(root)) {
          const edge = new Edge(readFileSync(root, 'utf8'), port, running);
          const answer = await edge.ask('/brand', { host: awaited }).catch(() => undefined);
          if (answer?.status === status) return edge;
        }
        if (performance.now() > deadline || child.exitCode !== null)
          throw new Error(`Caddy did not start. It said:\n${said}`);
        await sleep(100);
      }
    } catch (error) {
      await stop();
      throw error;
    }
  }

  /** Over TLS, by name, believing nobody but Caddy's own authority. */
  ask(
    path: string,
    { host = 'localhost', method = 'GET', headers = {}, body, from }: Ask = {},
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const asked = request(
        {
          ...{ host: '127.0.0.1', port: this.port, servername: host, ca: this.ca, path, method },
          headers: { ...headers, host: `${host}:${this.port}` },
          ...(from !== undefined && { localAddress: from }),
        },
        (response) => {
          const { statusCode: status = 0, headers: heard } = response;
          buffer(response).then((answer) => resolve({ status, headers: heard, body: answer }), reject);
        },
      );
      asked.once('error', reject);
      asked.end(body);
    });
  }

  reload(): Promise<void> {
    return this.#running.reload();
  }

  stop(): Promise<void> {
    return this.#running.stop();
  }

  /** The end of all that Caddy wrote. */
  said(): string {
    return this.#running.said();
  }
}

type Running = { reload: () => Promise<void>; stop: () => Promise<void>; said: () => string };

type CaddyConfig = {
  apps: { http: { http_port?: number } };
  admin?: { listen: string };
  logging?: { logs: { default?: object } };
};

async function adapted(caddy: string, file: string, env: Record<string, string>): Promise<CaddyConfig> {
  const { stdout } = await run(caddy, ['adapt', '--config', file, '--adapter', 'caddyfile'], { env });
  return JSON.parse(stdout) as CaddyConfig;
}
