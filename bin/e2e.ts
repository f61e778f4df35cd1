// npm run e2e: the built product on real engines, driven by a real browser. Arguments go to Playwright.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { migrate } from '../server/src/db/migrate.ts';
import { answers } from './answers.ts';
import { startEngines } from './engines/engines.ts';
import { freePort } from './freePorts.ts';
import { createFreshDatabase } from './freshDatabase.ts';

const engines = await startEngines({ instance: 'e2e', require: true });
const database = await createFreshDatabase(engines.DATABASE_URL, { prefix: 'e2e' });
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
run('npm', ['run', '--silent', 'build']);
const gateway = spawn(process.execPath, ['server/src/main.ts'], { stdio: 'inherit', env: environment });
try {
  await answers(`${environment.PUBLIC_URL}/brand`, () => gateway.exitCode !== null);
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
