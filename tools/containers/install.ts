// ops/install.sh on an empty server: twice, and on servers where something is missing.
import assert from 'node:assert/strict';
import { continueChat, type Visitors } from '../../e2e/containers/firstChat.ts';
import { expectTexts } from '../../e2e/product/people.ts';
import type { Tests } from '../ops/tests.ts';
import { COMPOSE_GUIDE, firstMessage, pageLines, visitorsOfCompose } from './guide.ts';
import type { Result, Server } from './server.ts';

const AGAIN = 'sh ops/install.sh --host localhost --yes';

export async function install(checkout: string, tests: Tests, server: Server): Promise<void> {
  await tests.run('shellcheck accepts the scripts of ops/, and refuses a planted fault', () => {
    server.run('git clone --quiet /repository clone\nshellcheck clone/ops/*.sh\nrm -r clone');
    const { status, out } = server.attempt('shellcheck -', { input: '#!/bin/sh\ncat $1\n' });
    assert(status !== 0 && out.includes('SC2086'), out);
  });
  let visitors: Visitors | undefined;
  try {
    await tests.run('install.sh names what a server lacks, and changes nothing', () => lacks(server));
    const began = performance.now();
    const printed = await tests.run('install.sh asks for the host name and starts Settee', () => {
      const lines = [
        'export REPOSITORY_URL=/repository',
        ...pageLines(checkout, COMPOSE_GUIDE, 'ops/install.sh'),
      ];
      return server.run(lines.join('\n'), { minutes: 30, input: 'localhost\n' });
    });
    if (printed === undefined) return;
    const chat = await tests.run('its link leads to the first answered message, over HTTPS', async () => {
      const code = /https:\/\/localhost\/admin\/setup#(\S+)/.exec(printed)?.[1] ?? assert.fail(printed);
      visitors = await visitorsOfCompose(checkout, server);
      return firstMessage(visitors, code, began);
    });
    if (chat === undefined) return;
    await tests.run('it keeps secrets, settings and data in a second run', async () => {
      const files = 'cat ops/.env; sha256sum ops/secrets/*';
      const before = server.inClone(files);
      const again = server.inClone(AGAIN, { minutes: 30 });
      assert.equal(server.inClone(files), before);
      assert.match(again, /^Kept ops\/\.env, with the host name localhost$/m);
      assert.match(again, /^Kept the secrets in ops\/secrets$/m);
      assert.match(again, /already set up/);
      for (const page of [chat.visitor, chat.desk]) {
        await page.reload();
        await expectTexts(page, chat.said);
      }
      await continueChat(chat, 'After the second run');
      const other = server.attemptInClone('sh ops/install.sh --host chat.example.org --yes');
      assert(other.status === 1 && other.err.includes('ops/.env says localhost'), other.err);
      printsNoSecret(server, printed + again);
    });
  } finally {
    await visitors?.close();
    server.reset();
  }
}

function printsNoSecret(server: Server, printed: string): void {
  // Certificates are public, and the other files contain the same secrets again.
  const names = '*_password *_key *_id secret database_*url nats_url';
  const secrets = server.inClone(`cd ops/secrets && for name in ${names}; do cat $name; echo; done`);
  const lines = secrets.split('\n').filter((line) => line !== '');
  assert(lines.length >= 12, String(lines.length));
  for (const line of lines) assert(!printed.includes(line), 'install.sh printed a secret.');
}

/** Each line makes the server lack one thing, for the rest of its shell, which can mount. */
const LACKS: [line: string, message: string][] = [
  [
    'grep -v MemTotal /proc/meminfo > m; echo "MemTotal: 2000000 kB" >> m; mount --bind m /proc/meminfo',
    '1953 MB of memory',
  ],
  ['mount -t tmpfs -o size=1g none /var/lib', 'MB free. Settee needs'],
  ['echo ID=alpine > os; mount --bind os /etc/os-release', 'neither Debian nor Ubuntu'],
  ['mount --bind /dev/null /usr/bin/openssl', 'openssl is missing'],
  ['mount --bind /dev/null /usr/bin/docker', 'Docker with Compose is missing'],
  ['export COMPOSE=false', '"false" does not answer'],
  [
    'openssl s_server -accept 443 -nocert > /dev/null 2>&1 < /dev/zero & trap "kill $!" EXIT; sleep 2',
    'Another program uses port 443',
  ],
  ['unprivileged="setpriv --reuid=65534 --clear-groups"', 'Run this as root'],
];

function lacks(server: Server): void {
  server.run('git clone --quiet /repository /srv/settee');
  const tried = (line: string, command = AGAIN): Result =>
    server.attempt(`unshare --mount bash -euc '${line}; cd /srv/settee; \${unprivileged:-} ${command}'`);
  for (const [line, message] of LACKS) {
    const { status, err } = tried(line);
    assert(status === 1 && err.includes(message), `${line}: ${status}\n${err}`);
    assert((err.match(/^ {2}- /gm) ?? []).length < 2, err);
  }
  for (const host of ['', 'chat', 'Chat.example.org', '192.0.2.1', 'a/b.org', 'chat.example.org\nX=1'])
    assert.match(tried(':', `sh ops/install.sh --host "${host}" --yes`).err, /host|--host/, host);
  assert.equal(server.run('ls -A /srv/settee/ops | grep -E "^(secrets|.env)$" || true'), '');
  server.run('rm -r /srv/settee');
}
