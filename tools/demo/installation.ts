import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../server/test/support/seededRandom.ts';
import {
  type App,
  Appender,
  createLog,
  DatabaseClock,
  foldFigures,
  migrate,
  openDatabase,
  openMedia,
  silentSecurityLog,
  systemClock,
} from '../../server/testing/installation.ts';
import {
  type Announce,
  type Config,
  noopMetrics,
  readConfig,
  SendBudgets,
  VisitorReads,
} from '../../server/testing/rules.ts';
import { answers } from '../answers.ts';
import { engineStatus, startEngines, stopEngines } from '../engines/engines.ts';
import { freePort, holdPort } from '../freePorts.ts';
import { createFreshDatabase } from '../freshDatabase.ts';
import { type Filled, fill } from './fill.ts';
import { travelInTime } from './history.ts';

const ROOT = join(import.meta.dirname, '../..');
const INSTANCE = 'demo';
const USUAL_PORT = 5180;
const SEED = 20_261_115;
/** Public, like the passwords. Allows notifications in the demo. */
const DEMO_PUSH = {
  VAPID_PRIVATE_KEY: 'iU9411YW6OT8zVIgWAq5DkfWUmOt6nDsZILVUtc4k5Q',
  VAPID_SUBJECT: 'mailto:demo@settee.example',
};
const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

export type Installation = Filled & { url: string; databaseUrl: string; stop(): Promise<void> };

/** PostgreSQL, one gateway that also runs the jobs, and images in a folder. The database is dropped at the end. */
export async function startInstallation(log: (line: string) => void): Promise<Installation> {
  const { url, release } = await chooseUrl();
  const wasRunning = (await engineStatus({ instance: INSTANCE })).some(({ state }) => state === 'running');
  log('Starting PostgreSQL …');
  const engines = await startEngines({ instance: INSTANCE, only: ['postgres'] });
  const ending: (() => unknown)[] = [release];
  if (!wasRunning) ending.push(() => stopEngines({ instance: INSTANCE }));
  const stop = async (): Promise<void> => {
    for (const end of ending.splice(0).reverse()) await end();
  };
  try {
    const database = await createFreshDatabase(engines.DATABASE_URL, { prefix: 'demo' });
    ending.push(() => database.drop());
    await migrate({ databaseUrl: database.url, databaseOwnerUrl: database.ownerUrl });
    const mediaRoot = join(ROOT, '.settee', INSTANCE, `media-${new URL(database.url).pathname.slice(1)}`);
    mkdirSync(mediaRoot, { recursive: true });
    ending.push(() => rmSync(mediaRoot, { recursive: true, force: true }));
    const environment = environmentOf(url, database.url, mediaRoot);
    log('Creating a month of conversations …');
    const filled = await createHistory(readConfig(environment), database.ownerUrl);
    buildPages(log);
    await release();
    const gateway = spawn(process.execPath, ['server/src/main.ts'], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...environment },
    });
    ending.push(() => ended(gateway));
    await answers(`${url}/brand`, () => gateway.exitCode !== null, 90);
    return { ...filled, url, databaseUrl: database.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The passwords are public, so the demo runs only on this machine's own address. The port is reserved at once, because
 * the gateway may start a minute later.
 */
async function chooseUrl(): Promise<{ url: string; release(): Promise<void> }> {
  const { PUBLIC_URL: given = '', PORT: wanted = '' } = process.env;
  if (given !== '' && !LOCAL.has(new URL(given).hostname)) {
    throw new Error(`The demo has public passwords; ${new URL(given).hostname} is not this machine.`);
  }
  let port = Number(wanted) || USUAL_PORT;
  let held = await holdPort(port);
  if (held === undefined && wanted !== '') {
    throw new Error(`Port ${wanted} is in use. Stop what uses it, or choose another: PORT=5181 npm run demo`);
  }
  while (held === undefined) {
    port = await freePort();
    held = await holdPort(port);
  }
  return { url: `http://localhost:${port}`, release: held.release };
}

function environmentOf(url: string, databaseUrl: string, mediaRoot: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    ALLOW_UNSAFE_DATABASE: 'true',
    PORT: new URL(url).port,
    HOST: '127.0.0.1',
    PUBLIC_URL: url,
    SECRET: 'for the demo only, known to everyone',
    LOG_LEVEL: 'warn',
    SECURITY_LOG: 'off',
    SECOND_FACTOR: 'optional',
    ...DEMO_PUSH,
    MEDIA_ROOT: mediaRoot,
    // All simulated people share one address.
    LOOKUPS_PER_MINUTE: '1000',
    LIMIT_FACTOR: '1000',
    CODES_PER_HOUR: '1000',
    // The demo ignores these settings of the environment.
    ...Object.fromEntries(
      ['NATS_URL', 'S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
        .concat('S3_PUBLIC_ENDPOINT', 'RUN_JOBS', 'WEB_ROOT', 'SECRET_PREVIOUS')
        .map((key) => [key, '']),
    ),
  };
}

/** There are no sockets yet. */
const silent = new Proxy({}, { get: () => () => {} }) as Announce;

async function createHistory(config: Config, ownerUrl: string): Promise<Filled> {
  const now = Date.now();
  let then = now;
  const travel = await travelInTime(ownerUrl);
  const clock = { ...systemClock, now: () => then };
  const random = seededRandom(SEED);
  const db = openDatabase(config.databaseUrl, 2);
  const appender = new Appender(config.databaseUrl, 1);
  const databaseClock = new DatabaseClock(db, systemClock);
  const app: App = {
    config,
    db,
    reserved: db,
    appender,
    announce: silent,
    media: await openMedia(config, { clock, random }),
    push: undefined,
    clock,
    random,
    log: createLog(config.logLevel),
    security: silentSecurityLog,
    sendBudgets: new SendBudgets(clock, config),
    visitorReads: new VisitorReads(config.databaseConnections),
    traces: undefined,
    metrics: noopMetrics,
    databaseClock,
    stopping: new AbortController().signal,
  };
  const goTo = async (at: number): Promise<void> => {
    then = at;
    await travel.goTo(at);
  };
  const filled = await fill(app, goTo, now);
  await foldFigures(db);
  databaseClock.stop();
  await appender.close();
  await db.close();
  await travel.end();
  return filled;
}

/** Whether the build is newer than all its sources. */
function pagesAreFresh(): boolean {
  // Built last.
  const built = statSync(join(ROOT, 'web/dist/sw.js'), { throwIfNoEntry: false });
  const sources = globSync('{web/{src,vite,public}/**,web/*.{html,ts},protocol/src/**}', { cwd: ROOT });
  return sources.every((file) => statSync(join(ROOT, file)).mtimeMs <= (built?.mtimeMs ?? 0));
}

function buildPages(log: (line: string) => void): void {
  if (pagesAreFresh()) return;
  log('Building the pages …');
  const { status } = spawnSync(process.execPath, ['bin/build.ts'], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error('The pages could not be built.');
}

async function ended(gateway: ChildProcess): Promise<void> {
  if (gateway.exitCode !== null || gateway.signalCode !== null) return;
  const over = new Promise((done) => gateway.once('exit', done));
  gateway.kill('SIGTERM');
  await over;
}
