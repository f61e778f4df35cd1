// Both shipped Compose files on an empty server, by the lines of the guides: from nothing to the first answered message, a backup
// that is restored, and an update. A browser talks to it through Caddy over HTTPS.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { continueChat, type FirstChat, type Visitors } from '../../e2e/containers/firstChat.ts';
import { expectImages, photograph, pick } from '../../e2e/product/images.ts';
import { expectTexts, HANDLER } from '../../e2e/product/people.ts';
import { buildPatched } from '../../e2e/proof/patch.ts';
import { nextMigrations, nextPatches } from '../../e2e/proof/topology/nextRelease.ts';
import { makeCertificate } from '../../server/test/push/certificate.ts';
import { CLIENT, startProvider } from '../../server/test/support/oidcProvider.ts';
import { CALLBACK_PATH } from '../../server/testing/installation.ts';
import type { Tests } from '../ops/tests.ts';
import {
  COMPOSE_FILE,
  COMPOSE_GUIDE,
  firstMessage,
  pageCode,
  pageLines,
  pageRow,
  visitorsOfCompose,
} from './guide.ts';
import { installsAgain } from './install.ts';
import { HOST, type Result, type Server } from './server.ts';

const IMAGE = 'settee:local';
const BUILD_MINUTES = 30;
const MEGABYTES_AT_MOST = 200;
/** The pages try again after growing delays. */
const RECONNECT_MS = 90_000;
/** A line of the log, other than a security event. */
const INFO = /"level":30,(?!.*"stream":"security")/;
/** As in compose.yaml. */
const CONFINED = '--read-only --cap-drop=ALL --security-opt=no-new-privileges';

type Way = {
  file: string;
  project: string;
  ours: string[];
  engines: string[];
  /** The lines that start it. */
  begin: (checkout: string) => string[];
  /** A block of a guide, for this file. */
  adapt: (lines: string[]) => string[];
};

const FULL: Way = {
  ...{ file: COMPOSE_FILE, project: 'settee' },
  ...{ ours: ['app', 'worker'], engines: ['postgres', 'nats', 's3', 'caddy'] },
  begin: (checkout) =>
    // The line with the domain is the one to leave out for localhost.
    pageLines(checkout, COMPOSE_GUIDE, 'up --detach').filter((line) => !line.includes('SETTEE_DOMAIN')),
  adapt: (lines) => lines,
};

const SMALL: Way = {
  ...{ file: 'ops/compose.small.yaml', project: 'settee-small' },
  ...{ ours: ['app'], engines: ['postgres', 'caddy'] },
  begin: (checkout) => {
    const [script = ''] = pageCode(checkout, COMPOSE_GUIDE, '**A small server**');
    return [...pageLines(checkout, COMPOSE_GUIDE, 'ops/install.sh').slice(0, -1), script];
  },
  adapt: (lines) =>
    lines
      .filter((line) => !line.endsWith(' media'))
      .map((line) => line.replace(FULL.file, SMALL.file).replace(' worker', '').replace(' nats s3', '')),
};

export const compose = (checkout: string, tests: Tests, server: Server): Promise<void> =>
  runs(checkout, tests, server, FULL);
export const small = (checkout: string, tests: Tests, server: Server): Promise<void> =>
  runs(checkout, tests, server, SMALL);

async function runs(checkout: string, tests: Tests, server: Server, way: Way): Promise<void> {
  let visitors: Visitors | undefined;
  const began = performance.now();
  const test = <T>(title: string, body: () => Promise<T> | T): Promise<T | undefined> =>
    tests.run(`${way.project}: ${title}`, body);
  try {
    const printed = await test('the lines of the guide start it on an empty server', () => {
      const lines = ['export REPOSITORY_URL=/repository', ...way.begin(checkout)];
      return server.run(lines.join('\n'), { minutes: BUILD_MINUTES, input: 'localhost\n' });
    });
    if (printed === undefined) return;
    const chat = await test('from nothing to the first answered message, over HTTPS', async () => {
      visitors = await visitorsOfCompose(checkout, server, way.file);
      const code = /https:\/\/localhost\/admin\/setup#(\S+)/.exec(printed)?.[1];
      return firstMessage(visitors, code ?? assert.fail(printed), began);
    });
    if (way === FULL) await inspectImage(checkout, test, server);
    await test('our containers run as user 65532, read-only, without capabilities', () => {
      for (const service of way.ours) isConfined(server, way, service);
    });
    await test('every health check passes, and fails when its program is stopped', () =>
      healthChecks(server, way));
    await test('connections between services use TLS', () => usesTls(server, way));
    if (chat === undefined || visitors === undefined) return;
    const people = visitors;
    await test('killed with SIGKILL, the gateway comes back with every message', async () => {
      const began = state(server, way, 'app', '.State.StartedAt');
      server.run(`kill -9 ${state(server, way, 'app', '.State.Pid')}`);
      server.run(
        `until [ "$(docker inspect --format '{{.State.StartedAt}}' ${way.project}-app-1)" != ${began} ]; do sleep 1; done`,
      );
      await continueChat(chat, 'Killed', RECONNECT_MS);
    });
    await test('ops/.env switches single sign-on on, and changes the log level', () =>
      settings(server, way, people));
    await test('install.sh keeps secrets, settings and data of a server that runs', () =>
      installsAgain(server, chat, printed));
    await test('the secret is changed by the lines of the guide, and nobody is signed out', () =>
      changesSecret(checkout, server, way, chat));
    await test('a backup is made and restored by the lines of the guides', () =>
      restores(checkout, server, way, chat));
    await test('an update by the lines of the guide migrates, and keeps the conversation', () =>
      updates(checkout, server, way, chat));
  } finally {
    await visitors?.close();
    server.reset(way.file);
  }
}

type Test = (title: string, body: () => void) => Promise<void>;

async function inspectImage(checkout: string, test: Test, server: Server): Promise<void> {
  await test('Compose refuses a misspelt key', () => {
    const planted = `printf 'services: { app: { comand: [a] } }' | docker compose -f ${FULL.file} -f - config --quiet`;
    assert.match(server.attemptInClone(planted).err, /comand/);
  });
  await test(`the image is smaller than ${MEGABYTES_AT_MOST} MB`, () => measureLayers(server));
  await test('every package of the server loads from the image, and no other', () =>
    loadsPackages(checkout, server));
}

/** Until these are healthy. The service `backup` has no health check, which `--wait` would ask for. */
const start = ({ file, ours, engines }: Way): string =>
  `docker compose -f ${file} up --detach && docker compose -f ${file} up --wait ${[...ours, ...engines].join(' ')}`;

const state = (server: Server, { project }: Way, service: string, field: string): string =>
  server.run(`docker inspect --format '{{${field}}}' ${project}-${service}-1`).trim();

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

function isConfined(server: Server, way: Way, service: string): void {
  const status = server.run(`cat /proc/${state(server, way, service, '.State.Pid')}/status`);
  const field = (name: string): string => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? '';
  assert.deepEqual(
    [field('Uid'), field('CapBnd'), field('NoNewPrivs')],
    ['65532', '0000000000000000', '1'],
    service,
  );
  for (const path of ['/app/x', '/x', '/app/web/dist/x', '/home/x']) {
    const write = ['/nodejs/bin/node', '-e', `fs.writeFileSync('${path}', '')`];
    const { err } = server.exec(['docker', 'exec', '--user=0', `${way.project}-${service}-1`, ...write]);
    assert.match(err, /EROFS|ENOENT/, path);
  }
}

/** Each check as the image or compose.yaml defines it. */
function healthChecks(server: Server, way: Way): void {
  server.inClone(start(way));
  for (const service of [...way.ours, ...way.engines]) {
    assert.equal(state(server, way, service, '.State.Health.Status'), 'healthy', service);
    const [, ...test] = JSON.parse(state(server, way, service, 'json .Config.Healthcheck.Test')) as string[];
    const check = (): number | null =>
      server.exec(['timeout', '10', 'docker', 'exec', `${way.project}-${service}-1`, ...test]).status;
    assert.equal(check(), 0, service);
    server.run(`pkill -STOP --parent ${state(server, way, service, '.State.Pid')} || true`);
    server.run(`kill -STOP ${state(server, way, service, '.State.Pid')}`);
    assert.notEqual(check(), 0, `${service} is stopped, and its health check passes.`);
    server.run(`kill -CONT ${state(server, way, service, '.State.Pid')}`);
    server.run(`pkill -CONT --parent ${state(server, way, service, '.State.Pid')} || true`);
  }
}

function usesTls(server: Server, { file, engines }: Way): void {
  const sql = `select ssl, count(*) from pg_stat_ssl join pg_stat_activity using (pid) where client_addr is not null group by 1`;
  const sessions = query(server, file, sql);
  assert.match(sessions, /^t\|\d+$/, sessions);
  // Without TLS, PostgreSQL accepts the password too. The services do not use it: REQUIRE_TLS.
  const plain = server.attemptInClone(
    `docker compose -f ${file} run --rm -T --env DATABASE_URL_FILE= --env DATABASE_URL=postgres://a:b@postgres/settee cli doctor --offline`,
  );
  assert(plain.status !== 0 && /sslmode=verify-full|TLS/.test(plain.out + plain.err), plain.out + plain.err);
  if (!engines.includes('nats')) return;
  const clients = server.inClone(
    `docker compose -f ${file} exec -T nats wget -qO- http://127.0.0.1:8222/connz`,
  );
  const { connections } = JSON.parse(clients) as { connections: { tls_version?: string }[] };
  assert(
    connections.length > 0 && connections.every(({ tls_version: version }) => version === '1.3'),
    clients,
  );
}

const query = (server: Server, file: string, sql: string): string =>
  server.inClone(`docker compose -f ${file} exec -T postgres psql --username=settee -tAc "${sql}"`).trim();

/** Staff sign in with a provider on this machine, which the server reaches at `HOST`. It has its own authority. */
async function settings(server: Server, way: Way, visitors: Visitors): Promise<void> {
  const { key, cert, remove } = makeCertificate(`IP:${HOST}`);
  remove();
  const provider = await startProvider(`https://localhost${CALLBACK_PATH}`, { host: HOST, key, cert });
  try {
    provider.behaviour.claims = { email: HANDLER.email, email_verified: true };
    const log = `docker logs ${way.project}-app-1 2>&1`;
    assert.match(server.run(log), INFO);
    server.inClone('cat >> ops/secrets/ca.crt', { input: cert });
    server.inClone(`cat >> ops/.env && ${start(way)}`, {
      input: [
        `OIDC_ISSUER=${provider.issuer}`,
        `OIDC_CLIENT_ID=${CLIENT.clientId}`,
        `OIDC_CLIENT_SECRET='${CLIENT.clientSecret}'`,
        `OIDC_NAME='Example Login'`,
        'LOG_LEVEL=warn\n',
      ].join('\n'),
    });
    const desk = await visitors.page({ ignoreHTTPSErrors: true });
    await desk.goto('/handler');
    await desk.getByRole('button', { name: 'Sign in with Example Login' }).click();
    await desk.getByRole('heading', { name: /^My Queue/ }).waitFor();
    assert.doesNotMatch(server.run(log), INFO);
    assert.equal(server.inClone('git status --porcelain'), '', 'A file of the release changed.');
  } finally {
    await provider.stop();
  }
}

/** Sessions of the old secret get a new one, and so outlive it. */
async function changesSecret(checkout: string, server: Server, way: Way, chat: FirstChat): Promise<void> {
  server.inClone(way.adapt(pageLines(checkout, 'docs/operate.md', 'SECRET_PREVIOUS')).join('\n'));
  await continueChat(chat, 'With the new secret', RECONNECT_MS);
  for (const page of [chat.visitor, chat.desk]) await page.reload();
  const doctor = `docker compose -f ${way.file} run --rm -T cli doctor --offline`;
  assert.match(server.inClone(doctor), /^ok +SECRET /m);
  server.inClone(`sed -i /^SECRET_PREVIOUS=/d ops/.env && ${start(way)}`);
  assert.match(server.inClone(doctor), /^ok +SECRET /m);
  await continueChat(chat, 'Without the old secret', RECONNECT_MS);
  for (const page of [chat.visitor, chat.desk]) await page.reload();
  await continueChat(chat, 'After a reload', RECONNECT_MS);
}

async function restores(checkout: string, server: Server, way: Way, chat: FirstChat): Promise<void> {
  const [backup = ''] = way.adapt(pageRow(checkout, COMPOSE_GUIDE, 'back up'));
  const run = (text: string, name = ''): string => {
    const lines = way.adapt(pageLines(checkout, 'docs/backup.md', text)).join('\n');
    return server.inClone(lines.replace('/NAME', `/${name}`), { minutes: 10 });
  };
  await pick(chat.visitor, await photograph('before.jpg'));
  await continueChat(chat, 'Before the backup', RECONNECT_MS);
  await expectImages(chat.desk, 'in', 1, RECONNECT_MS);
  const saved = [...chat.said];
  server.inClone(backup);
  await continueChat(chat, 'After the backup', RECONNECT_MS);
  const folder = `$(docker volume inspect --format '{{.Mountpoint}}' ${way.project}_backups)`;
  run('createdb', server.inClone(`ls "${folder}" | tail -n 1`).trim());
  server.inClone(start(way));
  await chat.visitor.reload();
  await expectTexts(chat.visitor, saved, RECONNECT_MS);
  chat.said.splice(0, Number.POSITIVE_INFINITY, ...saved);
  // The last step, when nobody will go back.
  run('dropdb');
  server.inClone(start(way));
  await chat.visitor.reload();
  await expectTexts(chat.visitor, saved, RECONNECT_MS);
  await expectImages(chat.visitor, 'out', 1, RECONNECT_MS);
}

async function updates(checkout: string, server: Server, way: Way, chat: FirstChat): Promise<void> {
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
  const [fetch = '', up = ''] = way.adapt(pageRow(checkout, COMPOSE_GUIDE, 'update'));
  server.inClone(`${fetch.replace(/v\d+\.\d+\.\d+/, tag)}\n${up}`, { minutes: BUILD_MINUTES });
  server.inClone(start(way));
  const columns = `select count(*) from information_schema.columns where column_name = 'next_calls'`;
  assert.equal(query(server, way.file, columns), '1');
  await expectTexts(chat.visitor, chat.said, RECONNECT_MS);
}
