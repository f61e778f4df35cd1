// ops/install.sh on servers where something is missing, and on one that runs. compose.ts installs a small server with it.
import assert from 'node:assert/strict';
import { continueChat, type FirstChat } from '../../e2e/containers/firstChat.ts';
import { expectTexts } from '../../e2e/product/people.ts';
import type { Tests } from '../ops/tests.ts';
import type { Result, Server } from './server.ts';

const AGAIN = 'sh ops/install.sh --host localhost --yes';

export async function install(_checkout: string, tests: Tests, server: Server): Promise<void> {
  await tests.run('shellcheck accepts the scripts of ops/, and refuses a planted fault', () => {
    server.run('git clone --quiet /repository clone\nshellcheck clone/ops/*.sh\nrm -r clone');
    const { status, out } = server.attempt('shellcheck -', { input: '#!/bin/sh\ncat $1\n' });
    assert(status !== 0 && out.includes('SC2086'), out);
  });
  await tests.run('install.sh names what a server lacks, and changes nothing', () => lacks(server));
}

/** On a server that runs, also if that was installed by hand. `printed`: by the first run. */
export async function installsAgain(server: Server, chat: FirstChat, printed: string): Promise<void> {
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
