// The shipped compose.yaml on an empty server, by the lines of the guides: from nothing to the first answered message, a backup
// that is restored, and an update. A browser talks to it through Caddy over HTTPS.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { continueChat, type FirstChat, type Visitors } from '../../e2e/containers/firstChat.ts';
import { expectTexts } from '../../e2e/product/people.ts';
import { buildPatched } from '../../e2e/proof/patch.ts';
import { nextMigrations, nextPatches } from '../../e2e/proof/topology/nextRelease.ts';
import type { Tests } from '../ops/tests.ts';
import { COMPOSE_GUIDE, firstMessage, pageLines, pageRow, visitorsOfCompose } from './guide.ts';
import type { Result, Server } from './server.ts';

const COMPOSE = 'docker compose -f ops/compose.yaml';
const IMAGE = 'settee:local';
const BUILD_MINUTES = 30;
const MEGABYTES_AT_MOST = 200;
/** The pages try again after growing delays. */
const RECONNECT_MS = 90_000;
/** As in compose.yaml. */
const CONFINED = '--read-only --cap-drop=ALL --security-opt=no-new-privileges';
const SERVICES = ['app', 'worker', 'postgres', 'nats', 's3', 'caddy'];

export async function compose(checkout: string, tests: Tests, server: Server): Promise<void> {
  let visitors: Visitors | undefined;
  const began = performance.now();
  try {
    const code = await tests.run('the lines of the guide start compose on an empty server', () => {
      // The line with the domain is the one to leave out for localhost.
      const lines = pageLines(checkout, COMPOSE_GUIDE, 'up --detach').filter(
        (line) => !line.includes('SETTEE_DOMAIN'),
      );
      const out = server.run(['export REPOSITORY_URL=/repository', ...lines].join('\n'), {
        minutes: BUILD_MINUTES,
      });
      return /Setup code: (\S+)/.exec(out)?.[1] ?? assert.fail(out);
    });
    if (code === undefined) return;
    const chat = await tests.run('from nothing to the first answered message, over HTTPS', async () => {
      visitors = await visitorsOfCompose(checkout, server);
      return firstMessage(visitors, code, began);
    });
    await tests.run('Compose refuses a misspelt key', () => {
      const planted = `printf 'services: { app: { comand: [a] } }' | ${COMPOSE} -f - config --quiet`;
      assert.match(server.attemptInClone(planted).err, /comand/);
    });
    await tests.run(`the image is smaller than ${MEGABYTES_AT_MOST} MB`, () => measureLayers(server));
    await tests.run('every package of the server loads from the image, and no other', () =>
      loadsPackages(checkout, server),
    );
    await tests.run('our containers run as user 65532, read-only, without capabilities', () => {
      for (const service of ['app', 'worker']) isConfined(server, service);
    });
    await tests.run('every health check passes, and fails when its program is stopped', () =>
      healthChecks(server),
    );
    await tests.run('connections between services use TLS', () => usesTls(server));
    if (chat === undefined) return;
    await tests.run('killed with SIGKILL, the gateway comes back with every message', async () => {
      const began = state(server, 'app', '.State.StartedAt');
      server.run(`kill -9 ${state(server, 'app', '.State.Pid')}`);
      server.run(
        `until [ "$(docker inspect --format '{{.State.StartedAt}}' settee-app-1)" != ${began} ]; do sleep 1; done`,
      );
      await continueChat(chat, 'Killed', RECONNECT_MS);
    });
    await tests.run('a backup is made and restored by the lines of the guides', () =>
      restores(checkout, server, chat),
    );
    await tests.run('an update by the lines of the guide migrates, and keeps the conversation', () =>
      updates(checkout, server, chat),
    );
  } finally {
    await visitors?.close();
    server.reset();
  }
}

const state = (server: Server, service: string, field: string): string =>
  server.run(`docker inspect --format '{{${field}}}' settee-${service}-1`).trim();

function measureLayers(server: Server): void {
  const size = Math.round(Number(server.run(`docker image inspect --format '{{.Size}}' ${IMAGE}`)) / 1e6);
  const layers = server.run(`docker history --format '{{.Size}}  {{.CreatedBy}}' ${IMAGE}`).split('\n');
  for (const line of layers) if (/^\S+MB/.test(line)) console.log(`  ${line.slice(0, 70)}`);
  console.log(`  ${size} MB in all`);
  assert(size < MEGABYTES_AT_MOST, `${size} MB`);
}

/** The Dockerfile deletes files of packages. Traces, for example, load their packages only when they are on. */
function loadsPackages(checkout: string, server: Server): void {
  type Package = { dependencies: Record<string, string> };
  const { dependencies } = JSON.parse(readFileSync(join(checkout, 'server/package.json'), 'utf8')) as Package;
  const names = Object.keys(dependencies).filter((name) => name !== '@settee/protocol');
  const load = (list: string[]): Result =>
    server.exec([
      ...['docker', 'run', '--rm', ...CONFINED.split(' '), '--workdir=/app/server', IMAGE],
      ...['--input-type=module', '--eval', `for (const name of ${JSON.stringify(list)}) await import(name)`],
    ]);
  assert(names.length > 20);
  assert.equal(load(names).status, 0, load(names).err);
  for (const name of ['typescript', 'vitest', 'react'])
    assert.notEqual(load([name]).status, 0, `The image contains ${name}.`);
}

function isConfined(server: Server, service: string): void {
  const status = server.run(`cat /proc/${state(server, service, '.State.Pid')}/status`);
  const field = (name: string): string => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? '';
  assert.deepEqual(
    [field('Uid'), field('CapBnd'), field('NoNewPrivs')],
    ['65532', '0000000000000000', '1'],
    service,
  );
  for (const path of ['/app/x', '/x', '/app/web/dist/x', '/home/x']) {
    const write = ['/nodejs/bin/node', '-e', `fs.writeFileSync('${path}', '')`];
    const { err } = server.exec(['docker', 'exec', '--user=0', `settee-${service}-1`, ...write]);
    assert.match(err, /EROFS|ENOENT/, path);
  }
}

/** Each check as the image or compose.yaml defines it. */
function healthChecks(server: Server): void {
  server.inClone(`${COMPOSE} up --wait`);
  for (const service of SERVICES) {
    assert.equal(state(server, service, '.State.Health.Status'), 'healthy', service);
    const [, ...test] = JSON.parse(state(server, service, 'json .Config.Healthcheck.Test')) as string[];
    const check = (): number | null =>
      server.exec(['timeout', '10', 'docker', 'exec', `settee-${service}-1`, ...test]).status;
    assert.equal(check(), 0, service);
    server.run(`pkill -STOP --parent ${state(server, service, '.State.Pid')} || true`);
    server.run(`kill -STOP ${state(server, service, '.State.Pid')}`);
    assert.notEqual(check(), 0, `${service} is stopped, and its health check passes.`);
    server.run(`kill -CONT ${state(server, service, '.State.Pid')}`);
    server.run(`pkill -CONT --parent ${state(server, service, '.State.Pid')} || true`);
  }
}

function usesTls(server: Server): void {
  const sql = `select ssl, count(*) from pg_stat_ssl join pg_stat_activity using (pid) where client_addr is not null group by 1`;
  const sessions = server.inClone(
    `${COMPOSE} exec -T postgres psql --username=settee --tuples-only --no-align --command="${sql}"`,
  );
  assert.match(sessions.trim(), /^t\|\d+$/, sessions);
  const clients = server.inClone(`${COMPOSE} exec -T nats wget -qO- http://127.0.0.1:8222/connz`);
  const { connections } = JSON.parse(clients) as { connections: { tls_version?: string }[] };
  assert(
    connections.length > 0 && connections.every(({ tls_version: version }) => version === '1.3'),
    clients,
  );
  // Without TLS, PostgreSQL accepts the password too. The services do not use it: REQUIRE_TLS.
  const plain = server.attemptInClone(
    `${COMPOSE} run --rm -T --env DATABASE_URL_FILE= --env DATABASE_URL=postgres://a:b@postgres/settee cli doctor --offline`,
  );
  assert(plain.status !== 0 && /sslmode=verify-full|TLS/.test(plain.out + plain.err), plain.out + plain.err);
}

async function restores(checkout: string, server: Server, chat: FirstChat): Promise<void> {
  const [backup = ''] = pageRow(checkout, COMPOSE_GUIDE, 'back up');
  await continueChat(chat, 'Before the backup');
  const saved = [...chat.said];
  server.inClone(backup);
  await continueChat(chat, 'After the backup');
  const folder = `$(docker volume inspect --format '{{.Mountpoint}}' settee_backups)`;
  const name = server.inClone(`ls "${folder}" | tail -n 1`).trim();
  const lines = pageLines(checkout, 'docs/backup.md', 'createdb');
  server.inClone(lines.join('\n').replace('/backups/NAME', `/backups/${name}`), { minutes: 10 });
  server.inClone(`${COMPOSE} up --wait`);
  await chat.visitor.reload();
  await expectTexts(chat.visitor, saved);
  chat.said.splice(0, Number.POSITIVE_INFINITY, ...saved);
}

async function updates(checkout: string, server: Server, chat: FirstChat): Promise<void> {
  const { build, remove } = buildPatched(checkout, nextPatches, nextMigrations);
  try {
    for (const file of [...nextPatches.map(({ file }) => file), ...Object.keys(nextMigrations)])
      server.copy(join(build, file), `/root/settee/${file}`);
  } finally {
    remove();
  }
  // The next release, as a tag of the clone. The page names the current one.
  const tag = 'v99.0.0';
  const author = '-c user.name=Test -c user.email=test@settee.example';
  server.inClone(
    `git add --all && git ${author} commit --quiet --message='The next release' && git tag ${tag}`,
  );
  server.inClone(`git checkout --quiet HEAD~1`);
  const [fetch = '', up = ''] = pageRow(checkout, COMPOSE_GUIDE, 'update');
  server.inClone(`${fetch.replace(/v\d+\.\d+\.\d+/, tag)}\n${up}`, { minutes: BUILD_MINUTES });
  server.inClone(`${COMPOSE} up --wait`);
  const columns = `select count(*) from information_schema.columns where column_name = 'next_calls'`;
  const found = server.inClone(
    `${COMPOSE} exec -T postgres psql --username=settee --dbname=settee_new -tAc "${columns}"`,
  );
  assert.equal(found.trim(), '1');
  await expectTexts(chat.visitor, chat.said, RECONNECT_MS);
}
