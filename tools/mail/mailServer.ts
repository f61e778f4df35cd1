import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../engines/process.ts';
import { freePort, portIsFree } from '../freePorts.ts';
import { checkRoot } from '../programs.ts';

const START_MS = 60_000;
const USER = 'settee';

type Rules = {
  /** Addresses that exist. All others are refused. */
  people: string[];
  /** What the server says to mails for some addresses, such as '451 4.7.1 Greylisted'. */
  answers?: Record<string, string>;
};

export type MailServer = {
  port: number;
  user: string;
  password: string;
  /** Its own certificate, for localhost. */
  certificate: string;
  /** The accepted mails, as they were stored, oldest first. */
  stored(): string[];
  /** The same server with other rules, as after its configuration was changed. */
  restart(rules: Rules): Promise<void>;
  stop(): Promise<void>;
};

/** A real mail server that insists on STARTTLS and a password. Needs root, because OpenSMTPD changes its user. */
export async function startMailServer(rules: Rules): Promise<MailServer> {
  const folder = mkdtempSync(join(tmpdir(), 'settee-mail-'));
  // OpenSMTPD stores the mails as another user.
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'stored'));
  chmodSync(join(folder, 'stored'), 0o777);
  const port = await freePort();
  // With characters that a URL must encode.
  const password = 'a pass/word:1';
  makeCertificate(folder);
  const hash = execFileSync('openssl', ['passwd', '-6', password], { encoding: 'utf8' }).trim();
  let child: ChildProcess | undefined;

  const stop = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill();
    await gone;
    // The server ends a moment after its sandbox. Until then it would answer instead of the next one.
    await waitUntil(() => portIsFree(port), START_MS / 1_000);
  };
  const start = async (now: Rules): Promise<void> => {
    writeFileSync(join(folder, 'smtpd.conf'), configuration(port, hash, now));
    child = spawn('bwrap', sandbox(folder), { stdio: 'ignore' });
    const end = Date.now() + START_MS;
    while (!(await answers(port))) {
      if (Date.now() > end || child.exitCode !== null) throw new Error('OpenSMTPD does not start');
      await sleep(100);
    }
  };
  await start(rules);
  return {
    port,
    user: USER,
    password,
    certificate: readFileSync(join(folder, 'cert.pem'), 'utf8'),
    stored() {
      const fresh = join(folder, 'stored/new');
      const paths = existsSync(fresh) ? readdirSync(fresh).map((name) => join(fresh, name)) : [];
      const age = (path: string) => statSync(path).mtimeMs;
      return paths.toSorted((a, b) => age(a) - age(b)).map((path) => readFileSync(path, 'utf8'));
    },
    async restart(now) {
      await stop();
      await start(now);
    },
    async stop() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configuration(port: number, hash: string, { people, answers = {} }: Rules): string {
  const list = (entries: string[]) => `{ ${entries.join(', ')} }`;
  const quoted = (entries: string[]) => list(entries.map((each) => `"${each}"`));
  const filters = [
    ...Object.entries(answers).map(([address, answer]) => [`match rcpt-to ${quoted([address])}`, answer]),
    [`match ! rcpt-to ${quoted(people)}`, '550 5.1.1 No such user'],
  ];
  return `
pki localhost cert "/settee/cert.pem"
pki localhost key "/settee/key.pem"
table creds ${list([`${USER} = "${hash}"`])}
table people ${list(people.map((address) => `"${address}" = mail`))}
${filters.map(([condition, answer], n) => `filter "${n}" phase rcpt-to ${condition} reject "${answer}"`).join('\n')}
filter "all" chain ${quoted([...filters.keys()].map(String))}
listen on lo port ${port} tls-require pki localhost auth <creds> hostname localhost filter "all"
action "store" maildir "/settee/stored" virtual <people>
match auth from any for domain "example.org" action "store"
`;
}

function makeCertificate(folder: string): void {
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
      ...['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')],
    ],
    { stdio: 'ignore' },
  );
  chmodSync(join(folder, 'key.pem'), 0o600);
}

/** It sees its programs and our folder. Its queue is in memory, and it ends with this process. */
function sandbox(folder: string): string[] {
  const root = checkRoot();
  return [
    ...['usr', 'etc'].flatMap((name) => ['--ro-bind', join(root, name), `/${name}`]),
    ...['bin', 'sbin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
    ...['--dir', '/var/spool', '--dir', '/var/lib', '--bind', join(root, 'var/lib'), '/var/lib'],
    ...[
      '--dir',
      '/run',
      '--symlink',
      '../run',
      '/var/run',
      '--tmpfs',
      '/tmp',
      '--dev',
      '/dev',
      '--proc',
      '/proc',
    ],
    ...['--bind', folder, '/settee', '--unshare-pid', '--die-with-parent', '--cap-add', 'ALL'],
    ...['/usr/sbin/smtpd', '-d', '-f', '/settee/smtpd.conf'],
  ];
}

function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('data', () => {
      done(true);
      socket.destroy();
    });
    socket.once('error', () => done(false)).once('close', () => done(false));
  });
}
