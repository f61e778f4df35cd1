// npm run e2e: the built product on real engines, driven by a real browser. Arguments go to Playwright.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../server/src/db/migrate.ts';
import { startEngines } from './engines/engines.ts';
import { freePort } from './freePort.ts';

const engines = await startEngines({ instance: 'e2e', require: true });
const database = await createDatabase(engines.DATABASE_URL);
const port = await freePort();
const environment = {
  ...process.env,
  ...engines,
  DATABASE_URL: database.url,
  PORT: String(port),
  PUBLIC_URL: `http://localhost:${port}`,
  SECRET: randomBytes(32).toString('hex'),
  LOG_LEVEL: 'warn',
  // All browsers of a run share one address.
  LOOKUPS_PER_MINUTE: '10000',
  CODES_PER_HOUR: '1000',
};
await migrate(database.url);
run('vite', ['build', 'web', '--logLevel', 'warn']);
const gateway = spawn(process.execPath, ['server/src/main.ts'], { stdio: 'inherit', env: environment });
try {
  await answers(`${environment.PUBLIC_URL}/brand`, gateway);
  const tests = ['test', '--config', 'e2e/playwright.config.ts', ...process.argv.slice(2)];
  process.exitCode = spawnSync('playwright', tests, { stdio: 'inherit', env: environment }).status ?? 1;
} finally {
  gateway.kill('SIGTERM');
  await new Promise((done) => gateway.once('exit', done));
  await database.drop();
}

function run(program: string, args: string[]): void {
  const { status } = spawnSync(program, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

async function createDatabase(serverUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `e2e_${randomBytes(6).toString('hex')}`;
  const tell = async (statement: string): Promise<void> => {
    const client = new pg.Client(serverUrl);
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await tell(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => tell(`drop database if exists ${name} with (force)`) };
}

async function answers(url: string, program: ChildProcess): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    if (program.exitCode !== null) throw new Error('The gateway ended; what it said stands above.');
    if ((await fetch(url).catch(() => undefined))?.ok === true) return;
    if (Date.now() > deadline) throw new Error('The gateway does not answer.');
    await new Promise((done) => setTimeout(done, 100));
  }
}
