// The shipped compose.yaml on an empty server, by the lines of the guides: from nothing to the first answered message, a backup
// that is restored, and an update. A browser talks to it through Caddy over HTTPS.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { continueChat, type FirstChat, type Visitors } from '../../e2e/containers/firstChat.ts';
import { expectTexts } from '../../e2e/product/people.ts';
import { buildPatched } from '../../e2e/proof/patch.ts';
import { nextMigrations, nextPatches } from '../../e2e/rolling/nextRelease.ts';
import type { Tests } from '../ops/tests.ts';
import { firstMessage, visitorsOfCompose } from './firstMessage.ts';
import { INSTALL, pageLines, pageRow } from './page.ts';
import { Server } from './server.ts';

const COMPOSE = 'docker compose -f ops/compose.yaml';
const BUILD_MINUTES = 30;

export async function compose(checkout: string, tests: Tests): Promise<void> {
  const server = new Server('compose', checkout);
  let visitors: Visitors | undefined;
  try {
    const began = performance.now();
    const code = await tests.run('the lines of docs/install.md start compose on an empty server', () => {
      // The line with the domain is the one to leave out for localhost.
      const lines = pageLines(checkout, INSTALL, 'Compose', 'up --detach').filter(
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
    await tests.run('every health check passes, and fails when its program is stopped', () =>
      healthChecks(server),
    );
    await tests.run('connections between services use TLS', () => usesTls(server));
    if (chat === undefined) return;
    await tests.run('a backup is made and restored by the lines of the guides', () =>
      restores(checkout, server, chat),
    );
    await tests.run('an update by the lines of the guide migrates, and keeps the conversation', () =>
      updates(checkout, server, chat),
    );
  } finally {
    await visitors?.close();
    server.remove();
  }
}

/** Without systemd, Podman runs a health check only on request. */
function healthChecks(server: Server): void {
  const check = (service: string): number | null =>
    server.attempt(`podman healthcheck run settee_${service}_1`).status;
  for (const service of ['app', 'worker', 'postgres', 'nats', 's3', 'caddy'])
    assert.equal(check(service), 0, service);
  server.run('podman pause settee_nats_1');
  assert.notEqual(check('nats'), 0);
  server.run('podman unpause settee_nats_1');
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
  const [folder = '', backup = ''] = pageRow(checkout, INSTALL, 'Compose', 'back up');
  await continueChat(chat, 'Before the backup');
  const saved = [...chat.said];
  server.inClone(`${folder}\n${backup}`);
  await continueChat(chat, 'After the backup');
  const name = server.inClone('ls /var/backups/settee').trim();
  const lines = pageLines(checkout, 'docs/backup.md', 'Where the commands run', 'createdb');
  server.inClone(lines.join('\n').replace('/backups/NAME', `/backups/${name}`), { minutes: 10 });
  await waitForApp(server);
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
  const [fetch = '', up = ''] = pageRow(checkout, INSTALL, 'Compose', 'update');
  server.inClone(`${fetch.replace(/v\d+\.\d+\.\d+/, tag)}\n${up}`, { minutes: BUILD_MINUTES });
  await waitForApp(server);
  const columns = `select count(*) from information_schema.columns where column_name = 'next_calls'`;
  const found = server.inClone(
    `${COMPOSE} exec -T postgres psql --username=settee --dbname=settee_new -tAc "${columns}"`,
  );
  assert.equal(found.trim(), '1');
  await expectTexts(chat.visitor, chat.said);
}

async function waitForApp(server: Server): Promise<void> {
  server.run(
    'for i in $(seq 60); do podman healthcheck run settee_app_1 && exit 0; sleep 1; done; podman logs settee_app_1; exit 1',
  );
}
