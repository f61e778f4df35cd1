// Builds the Dockerfile with buildah and runs the image with Podman, as an operator would: without privileges, on a file
// system that nobody can write.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildPatched } from '../../e2e/proof/patch.ts';
import { nextMigrations, nextPatches } from '../../e2e/rolling/nextRelease.ts';
import { LiveClient } from '../../server/test/client.ts';
import { type EngineUrls, startEngines, stopEngines } from '../engines/engines.ts';
import { freePorts } from '../freePorts.ts';
import { createFreshDatabase } from '../freshDatabase.ts';
import { type Chat, openChat, talk } from '../ops/chat.ts';
import type { Tests } from '../ops/tests.ts';
import { attempt, hadolint, podman, type Result, run } from './tools.ts';

export const IMAGE = 'localhost/settee:test';
const NEXT = 'localhost/settee:next';
const MEGABYTES_AT_MOST = 200;
const START_TIMEOUT_MS = 60_000;
const INSTANCE = 'containers';
/** As in compose.yaml. */
const CONFINED = ['--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges'];

type Environment = Record<string, string>;

export async function image(checkout: string, tests: Tests): Promise<void> {
  await tests.run('hadolint accepts the Dockerfile, and refuses a planted fault', () => {
    run(hadolint, [join(checkout, 'Dockerfile')]);
    const { status, out } = attempt(hadolint, ['-'], { input: 'FROM debian\nRUN cd /tmp\n' });
    assert(status !== 0 && out.includes('DL3006'), out);
  });
  const built = await tests.run('buildah builds the Dockerfile', () => buildImage(checkout, IMAGE));
  if (built === undefined) return;
  await tests.run(`the image is smaller than ${MEGABYTES_AT_MOST} MB`, measureLayers);
  await tests.run('every package of the server loads from the image', () => loadsPackages(checkout));

  const engines = await startEngines({ instance: INSTANCE, require: true });
  const database = await createFreshDatabase(engines.DATABASE_URL, { prefix: 'image' });
  const [port = 0, privatePort = 0] = await freePorts(2);
  const gateway = new Container({
    ...settings(engines),
    ...{ DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl },
    ...{ PUBLIC_URL: `http://localhost:${port}`, PORT: String(port), PRIVATE_PORT: String(privatePort) },
  });
  try {
    await runs(checkout, tests, gateway, port);
  } finally {
    gateway.remove();
    await database.drop();
    await stopEngines({ instance: INSTANCE });
  }
}

async function runs(checkout: string, tests: Tests, gateway: Container, port: number): Promise<void> {
  const origin = `http://localhost:${port}`;
  const ports = [port, port] as const;
  await tests.run(
    'it migrates and starts as user 65532, on a read-only root, without capabilities',
    async () => {
      assert.equal(gateway.run(['server/src/cli.ts', 'migrate'], {}).status, 0);
      gateway.start(IMAGE);
      await gateway.ready();
      assert.deepEqual(gateway.confinement(), {
        uid: '65532',
        capabilities: '0000000000000000',
        noNewPrivileges: '1',
      });
      for (const path of ['/app/x', '/x', '/app/web/dist/x', '/home/x'])
        assert.match(gateway.write(path), /EROFS|ENOENT/, path);
    },
  );
  await tests.run('the HEALTHCHECK of the image passes, and fails for another port', () => {
    podman('healthcheck', 'run', gateway.name);
    const command = JSON.parse(
      podman('image', 'inspect', '--format', '{{json .HealthCheck.Test}}', IMAGE),
    ) as string[];
    const broken = attempt('podman', ['exec', '--env', 'PRIVATE_PORT=1', gateway.name, ...command.slice(1)]);
    assert.notEqual(broken.status, 0, 'The HEALTHCHECK passes without a server.');
  });
  const chat = await tests.run('messages go both ways', async () => {
    const opened = await openChat({ installed: gateway, environment: {}, origin, ports });
    await talk(opened, origin, ports);
    return opened;
  });
  if (chat === undefined) return;
  await tests.run('killed with SIGKILL and started again, it has every acknowledged message', async () => {
    const acknowledged = await sendOne(chat, origin);
    podman('kill', '--signal=KILL', gateway.name);
    assert.equal(podman('wait', gateway.name).trim(), '137');
    podman('start', gateway.name);
    await gateway.ready();
    await receives(chat, origin, acknowledged);
    await talk(chat, origin, ports);
  });
  await tests.run('replaced by the next release, it migrates and keeps the conversation', async () => {
    buildNext(checkout);
    const acknowledged = await sendOne(chat, origin);
    // The next release migrates while this one serves.
    assert.equal(gateway.run(['server/src/cli.ts', 'migrate'], {}, '', NEXT).status, 0);
    await talk(chat, origin, ports);
    podman('stop', '--time=40', gateway.name);
    assert.equal(podman('inspect', '--format', '{{.State.ExitCode}}', gateway.name).trim(), '0');
    gateway.start(NEXT);
    await gateway.ready();
    await receives(chat, origin, acknowledged);
    await talk(chat, origin, ports);
  });
}

export function buildImage(checkout: string, tag: string): true {
  const how = ['--isolation=chroot', '--network=host', '--pull-never', '--layers', '--format=docker'];
  run('buildah', ['bud', ...how, '--tag', tag, checkout], { minutes: 20 });
  return true;
}

/** The next release of the rolling suite, with two more migrations. */
function buildNext(checkout: string): void {
  const { build, remove } = buildPatched(checkout, nextPatches, nextMigrations);
  const context = mkdtempSync(join(tmpdir(), 'settee-next-'));
  try {
    for (const part of ['src', 'migrations'])
      cpSync(join(build, 'server', part), join(context, part), { recursive: true });
    const lines = [`FROM ${IMAGE}`, 'COPY src server/src', 'COPY migrations server/migrations'];
    writeFileSync(join(context, 'Containerfile'), lines.join('\n'));
    run('buildah', ['bud', '--pull-never', '--layers', '--format=docker', '--tag', NEXT, context]);
  } finally {
    remove();
    rmSync(context, { recursive: true, force: true });
  }
}

function measureLayers(): void {
  const [inspected] = JSON.parse(podman('image', 'inspect', IMAGE)) as [{ Size: number }];
  const size = Math.round(inspected.Size / 1e6);
  const layers = podman('history', '--format', '{{.Size}}\t{{.CreatedBy}}', IMAGE).trim().split('\n');
  for (const line of layers)
    if (/^\S+ MB/.test(line)) console.log(`  ${line.replace('\t', '  ').slice(0, 70)}`);
  console.log(`  ${size} MB in all`);
  assert(size < MEGABYTES_AT_MOST, `${size} MB`);
}

/** The Dockerfile deletes files of packages. Traces, for example, load their packages only when they are on. */
function loadsPackages(checkout: string): void {
  type Package = { dependencies: Record<string, string> };
  const { dependencies } = JSON.parse(readFileSync(join(checkout, 'server/package.json'), 'utf8')) as Package;
  const names = Object.keys(dependencies).filter((name) => name !== '@settee/protocol');
  const load = (list: string[]): Result =>
    attempt('podman', [
      ...['run', '--rm', ...CONFINED, '--workdir=/app/server', IMAGE, '--input-type=module', '--eval'],
      `for (const name of ${JSON.stringify(list)}) await import(name)`,
    ]);
  assert(names.length > 20);
  assert.equal(load(names).status, 0, load(names).err);
  assert.notEqual(load([...names, 'typescript']).status, 0, 'The image contains TypeScript.');
}

function settings(engines: EngineUrls): Environment {
  return {
    ...{
      NATS_URL: engines.NATS_URL ?? '',
      SECRET: randomUUID() + randomUUID(),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
    },
    ...{
      S3_ENDPOINT: engines.S3_ENDPOINT ?? '',
      S3_BUCKET: engines.S3_BUCKET ?? '',
      S3_REGION: engines.S3_REGION ?? '',
    },
    ...{
      S3_ACCESS_KEY_ID: engines.S3_ACCESS_KEY_ID ?? '',
      S3_SECRET_ACCESS_KEY: engines.S3_SECRET_ACCESS_KEY ?? '',
    },
  };
}

class Container {
  readonly name = `settee-image-${process.pid}`;
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  run(args: string[], more: Environment, input = '', from = IMAGE): Result {
    return attempt('podman', ['run', '--rm', '--interactive', ...this.#options(more), from, ...args], {
      input,
    });
  }

  start(from: string): void {
    this.remove();
    const { DATABASE_OWNER_URL: _, ...environment } = this.#environment;
    podman('run', '--detach', '--name', this.name, ...confined(environment), from);
  }

  async ready(): Promise<void> {
    const url = `http://127.0.0.1:${this.#environment.PRIVATE_PORT}/readyz`;
    const deadline = performance.now() + START_TIMEOUT_MS;
    while (performance.now() < deadline) {
      const response = await fetch(url, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined);
      if (response?.ok) return;
      await sleep(100);
    }
    throw new Error(`The gateway is not ready:\n${attempt('podman', ['logs', this.name]).err}`);
  }

  confinement() {
    const status = podman(
      'exec',
      this.name,
      '/nodejs/bin/node',
      '-p',
      'fs.readFileSync("/proc/1/status", "utf8")',
    );
    const field = (name: string): string => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? '';
    return { uid: field('Uid'), capabilities: field('CapBnd'), noNewPrivileges: field('NoNewPrivs') };
  }

  /** Returns the error. */
  write(path: string): string {
    const code = `fs.writeFileSync(${JSON.stringify(path)}, '')`;
    return attempt('podman', ['exec', '--user=0', this.name, '/nodejs/bin/node', '-e', code]).err;
  }

  remove(): void {
    attempt('podman', ['rm', '--force', '--time=0', this.name]);
  }

  #options(more: Environment): string[] {
    return confined({ ...this.#environment, ...more });
  }
}

function confined(environment: Environment): string[] {
  const env = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  return ['--network=host', ...CONFINED, ...env];
}

/** Returns the text of an acknowledged message. */
async function sendOne(chat: Chat, origin: string): Promise<string> {
  const client = await watch(chat, origin);
  try {
    const [id, text] = [randomUUID(), `acknowledged ${randomUUID()}`];
    client.send({ type: 'send', conversationId: chat.conversationId, id, text });
    await client.next('ack', (ack) => ack.id === id, START_TIMEOUT_MS);
    return text;
  } finally {
    client.close();
  }
}

async function watch(chat: Chat, origin: string): Promise<LiveClient> {
  const client = await LiveClient.open(origin, origin, chat.visitor.token);
  client.send({ type: 'watch', conversationId: chat.conversationId });
  await client.next('watched', undefined, START_TIMEOUT_MS);
  return client;
}

async function receives(chat: Chat, origin: string, text: string): Promise<void> {
  const response = await fetch(`${origin}/conversations/${chat.conversationId}/messages`, {
    headers: { authorization: `Bearer ${chat.visitor.token}` },
  });
  const body = await response.text();
  assert(body.includes(text), `${response.status} ${body.slice(0, 500)}`);
}
