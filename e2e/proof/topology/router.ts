import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePorts } from '../../../tools/freePorts.ts';
import { caddyProgram } from '../../../tools/programs.ts';

const run = promisify(execFile);
const FILE = resolve(import.meta.dirname, '../../../ops/Caddyfile.cells');
const START_TIMEOUT_MS = 90_000;

/** The part of Caddy's configuration that the suite changes. */
type CaddyConfig = {
  apps: { http: { http_port?: number; servers: Record<string, object> }; tls?: object };
  admin?: { disabled: true };
};

export type Router = { port: number; stop(): Promise<void> };

/** Caddy with ops/Caddyfile.cells and this table of cells. Without TLS, as behind a proxy that ends it. */
export async function startRouter(cells: readonly { tag: string; port: number }[]): Promise<Router> {
  const caddy = caddyProgram();
  const [port = 0, http = 0] = await freePorts(2);
  const folder = mkdtempSync(join(tmpdir(), 'settee-router-'));
  const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const file = join(folder, 'Caddyfile.cells');
  writeFileSync(file, withTable(readFileSync(FILE, 'utf8'), cells));
  await run(caddy, ['fmt', '--diff', FILE]);
  const { stdout } = await run(caddy, ['adapt', '--validate', '--config', file, '--adapter', 'caddyfile'], {
    env: { ...env, SETTEE_DOMAIN: `127.0.0.1:${port}` },
  });
  const config = JSON.parse(stdout) as CaddyConfig;
  config.admin = { disabled: true };
  config.apps.http.http_port = http;
  delete config.apps.tls;
  for (const server of Object.values(config.apps.http.servers)) {
    Object.assign(server, { automatic_https: { disable: true }, tls_connection_policies: undefined });
  }
  const json = join(folder, 'caddy.json');
  writeFileSync(json, JSON.stringify(config));
  const child = spawn(caddy, ['run', '--config', json], {
    cwd: '/',
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  let log = '';
  child.stderr.on('data', (bytes: Buffer) => {
    log = (log + bytes.toString()).slice(-20_000);
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!(await fetch(`http://127.0.0.1:${port}/brand`).catch(() => undefined))?.ok) {
    if (performance.now() > deadline || child.exitCode !== null)
      throw new Error(`the router did not start: ${log}`);
    await sleep(50);
  }
  return {
    port,
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function withTable(text: string, cells: readonly { tag: string; port: number }[]): string {
  const lines = cells.map(({ tag, port }) => `\timport cell ${tag} 127.0.0.1:${port}`);
  const rest = `\thandle {\n\t\timport gateways 127.0.0.1:${cells[0]?.port}\n\t}`;
  const changed = text.replace(
    /^\(cells\) \{\n[\s\S]*?\n\}$/m,
    ['(cells) {', ...lines, rest, '}'].join('\n'),
  );
  if (changed === text) throw new Error('ops/Caddyfile.cells has no table of cells');
  return changed;
}
