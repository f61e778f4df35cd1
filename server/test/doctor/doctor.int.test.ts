import { randomUUID } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { freePort } from '../../../tools/freePorts.ts';
import { createFreshDatabase, type FreshDatabase } from '../../../tools/freshDatabase.ts';
import { makeBackup } from '../../src/backup/makeBackup.ts';
import { readManifest, writeManifest } from '../../src/backup/manifest.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import { setUpBucket } from '../../src/media/s3Setup.adapter.ts';
import type { Config } from '../../src/platform/config/config.ts';
import { makeVapidKey } from '../../src/platform/config/vapidKey.ts';
import { migrate, migrateTo } from '../../src/platform/db/migrate.ts';
import { shippedMigrations } from '../../src/platform/db/migrations.ts';
import { withClient } from '../../src/platform/db/withClient.ts';
import { recordWorkerHeartbeat } from '../../src/platform/db/workers.ts';
import { withApp } from '../support/factors.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { CLIENT, startProvider } from '../support/oidcProvider.ts';
import {
  doctorOf,
  type Front,
  newBucket,
  newFolder,
  openS3,
  proxyTo,
  s3Environment,
  settee,
} from '../support/operatorWorld.ts';
import { type OwnPostgres, startOwnPostgres } from '../support/ownPostgres.ts';

/** A recognisable secret that must never be printed. */
const SECRET = 'canary-7b1QmZ-not-to-be-printed-anywhere-at-all';

/** The shared PostgreSQL of the tests is fast and not safe, which doctor reports. */
let own: OwnPostgres;
let database: FreshDatabase;
let server: TestServer;
let folder: Awaited<ReturnType<typeof newFolder>>;
let bucket: Awaited<ReturnType<typeof newBucket>>;
let removeBucket = async (): Promise<void> => {};
/** A correct configuration. */
let env: Record<string, string>;
const fronts: Front[] = [];

async function startAt(changes: Partial<Config> = {}): Promise<TestServer> {
  const port = await freePort();
  return startTestServer({
    databaseUrl: database.url,
    config: { port, publicUrl: `http://127.0.0.1:${port}`, secret: SECRET, ...changes },
  });
}

beforeAll(async () => {
  folder = await newFolder();
  bucket = await newBucket((remove) => {
    removeBucket = remove;
  });
  own = await startOwnPostgres();
  database = await createFreshDatabase(own.url, { prefix: 'doctor' });
  await migrate({ databaseUrl: database.url, databaseOwnerUrl: database.ownerUrl });
  server = await startAt();
  await withApp(server, 'admin');
  await runWorker();
  await setUpBucket(bucket, server.app.config.publicUrl);
  await mkdir(folder.path('pages'));
  await writeFile(folder.path('pages/visitor.html'), '');
  await makeBackup(server.app, folder.path('backups/today'));
  env = {
    DATABASE_URL: server.databaseUrl,
    NATS_URL: inject('engines').NATS_URL ?? '',
    SECRET,
    PUBLIC_URL: server.app.config.publicUrl,
    WEB_ROOT: folder.path('pages'),
    BACKUP_DIR: folder.path('backups'),
    ...s3Environment(bucket),
  };
});
afterAll(async () => {
  for (const front of fronts) await front.close();
  await server.close();
  await own.remove();
  await removeBucket();
  await folder.remove();
});

const asOwner = (text: string) =>
  withClient({ connectionString: database.ownerUrl }, (client) => client.query(text));

/** As if another process ran the jobs. A real one repeats this: the tests may take longer than a heartbeat counts. */
async function runWorker(): Promise<void> {
  await recordWorkerHeartbeat(server.app.db, randomUUID());
  await server.app.db.pool.query("update workers set seen_at = now() + interval '1 hour'");
}

function failures(found: readonly Finding[]): string[] {
  return found
    .filter(({ level }) => level !== 'ok')
    .map(({ check, level, says }) => `${level} ${check}: ${says}`);
}

/** All findings that are not `ok` after these changes, as text. */
async function wrong(changes: Record<string, string>, options?: { offline?: boolean }) {
  const found = (await doctorOf({ ...env, ...changes }, options)).filter(
    // The isolation of images depends on the machine.
    ({ check, level }) => level !== 'ok' && check !== 'image process',
  );
  for (const { remedy } of found) expect(remedy).toMatch(/\.$|\S{20}$/);
  return found.map(({ check, level, says, remedy = '' }) => `${level} ${check}: ${says} → ${remedy}`);
}

test('[OPS-38] doctor finds nothing wrong with a healthy installation, leaves nothing behind, and has a format for programs', async () => {
  const rows = () =>
    server.app.db.pool.query(
      "select key from rate_limits where points > 0 and (key like 'account:%' or key like 'address:%')",
    );
  const { code, out, err } = await settee(['doctor', '--json'], env);
  const { healthy, findings } = JSON.parse(out) as { healthy: boolean; findings: Finding[] };
  // These depend on the machine.
  const ofMachine = /open files|image process/;
  expect(failures(findings).filter((line) => !ofMachine.test(line))).toEqual([]);
  expect([code, err, healthy]).toEqual([0, '', true]);
  expect(new Set(findings.map(({ check }) => check))).toEqual(
    new Set([
      ...[
        'environment',
        'SECRET',
        'Node.js',
        'open files',
        'image process',
        'pages',
        'disk',
        'database',
        'database role',
        'migrations',
        'administrator',
        'jobs',
      ],
      ...['NATS', 'S3', 'PUBLIC_URL', 'TRUST_PROXY', 'notifications', 'mail', 'backup'],
    ]),
  );
  expect((await rows()).rows).toEqual([]);
  const text = await settee(['doctor'], { ...env, DATABASE_CONNECTIONS: '900' });
  expect([text.code, text.err]).toEqual([1, '']);
  expect(text.out).toMatch(
    /^failure {2}database +\d+ gateways? of this kind may open 9\d\d connections.*\n +→ Raise max_connections/m,
  );
  expect(text.out).toMatch(/\d+ ok, (?:1 warning|\d+ warnings), 1 failure\n$/);
});

test('a misspelled setting is reported with the right one', async () => {
  expect(await wrong({ SMPT_URL: 'smtp://canary-7b1QmZ' }, { offline: true })).toEqual([
    'warning environment: SMPT_URL is not a setting → Did you mean SMTP_URL? Rename or remove it.',
  ]);
});

test('gateways without a worker are reported, until one runs', async () => {
  const offline = { offline: true };
  await server.app.db.pool.query("update workers set seen_at = now() - interval '2 minutes'");
  expect(await wrong({}, offline)).toEqual([
    expect.stringMatching(/^failure jobs: not being processed.*Start a worker .*RUN_JOBS=true/),
  ]);
  await runWorker();
  expect(await wrong({}, offline)).toEqual([]);
});

test('[OPS-38] each mistake in the environment and on the machine is reported with its fix', async () => {
  expect(await wrong({ PORT: 'x', SWEEP_SECONDS: '99', VAPID_PRIVATE_KEY: 'nonsense' })).toEqual([
    expect.stringContaining('failure environment: PORT must be a whole number'),
    expect.stringContaining('VAPID_PRIVATE_KEY must be'),
    expect.stringContaining('VAPID_SUBJECT is missing'),
    expect.stringContaining('SWEEP_SECONDS must be'),
  ]);
  await writeFile(folder.path('file'), '');
  const offline = { offline: true };
  expect(await wrong({ SECRET: 'a'.repeat(40) }, offline)).toEqual([
    expect.stringMatching(/^failure SECRET: can be guessed.*openssl rand/),
    expect.stringMatching(/^failure SECRET: does not match this database/),
  ]);
  expect(await wrong({ WEB_ROOT: folder.path('nowhere') }, offline)).toEqual([
    expect.stringMatching(/^failure pages: .*npm run build/),
  ]);
  const onlyLog = async (path: string): Promise<string[]> =>
    wrong({ SECURITY_LOG: folder.path(path) }, offline);
  for (const path of ['.', 'file/events.log'])
    expect(await onlyLog(path)).toEqual([
      expect.stringMatching(/^failure SECURITY_LOG: .* cannot be written \((EISDIR|EEXIST)\)/),
    ]);
  for (const path of ['file', 'logs/events.log']) expect(await onlyLog(path)).toEqual([]);
  expect(await readdir(folder.path('logs'))).toEqual([]);
  for (const BACKUP_DIR of [folder.path('nowhere'), ''])
    expect(await wrong({ BACKUP_DIR }, offline)).toEqual([
      expect.stringMatching(/^warning backup: there is none/),
    ]);
  const strict = ['doctor', '--offline', '--strict', '--accept', 'image process,open files'];
  expect((await settee([...strict, '--json'], env)).code).toBe(0);
  const alarmed = await settee([...strict, '--json'], { ...env, BACKUP_DIR: folder.path('nowhere') });
  expect([alarmed.code, JSON.parse(alarmed.out).healthy]).toEqual([1, false]);
  const { format: __, ...manifest } = await readManifest(folder.path('backups/today'));
  await mkdir(folder.path('old/one'), { recursive: true });
  await writeManifest(
    folder.path('old/one'),
    {
      ...manifest,
      takenAt: new Date(Date.now() - 50 * 3_600_000).toISOString(),
    },
    server.app.config,
  );
  expect(await wrong({ BACKUP_DIR: folder.path('old') }, offline)).toEqual([
    expect.stringMatching(/^warning backup: .* is 50 hours old/),
  ]);
});

test('[OPS-38] each mistake about the engines is reported with its fix', async () => {
  const offline = { offline: true };
  const url = new URL(env.DATABASE_URL ?? '');
  const other = (change: (url: URL) => void): Record<string, string> => {
    const copy = new URL(url);
    change(copy);
    return { DATABASE_URL: copy.href };
  };
  const port = String(await freePort());
  expect(
    await wrong(
      other((to) => {
        to.port = port;
      }),
      offline,
    ),
  ).toEqual([expect.stringMatching(/^failure database: .*does not answer \(ECONNREFUSED\).*firewall/)]);
  expect(
    await wrong(
      other((to) => {
        to.password = 'canary-7b1QmZ';
      }),
      offline,
    ),
  ).toEqual([expect.stringMatching(/^failure database: .*refuses the user or the password/)]);
  expect(
    await wrong(
      other((to) => {
        to.pathname = '/nothing_here';
      }),
      offline,
    ),
  ).toEqual([expect.stringMatching(/^failure database: .*no such database/)]);
  const early = await createFreshDatabase(own.url, { prefix: 'early' });
  expect(await wrong({ DATABASE_URL: early.ownerUrl }, offline)).toEqual([
    expect.stringMatching(/^failure migrations: \d+ migrations? must be run → Run settee migrate\./),
  ]);
  // The tables are there, the functions are not.
  await migrateTo(early.ownerUrl, { count: shippedMigrations.length });
  expect(await wrong({ DATABASE_URL: early.ownerUrl }, offline)).toEqual([
    expect.stringMatching(/^warning database role: /),
    expect.stringMatching(/^failure migrations: /),
    expect.stringMatching(/^failure administrator: there is none/),
  ]);
  await early.drop();
  await asOwner(
    `alter table staff_totp rename to put_away; create table staff_totp (like put_away);
     grant select on staff_totp to public`,
  );
  expect(await wrong({}, offline)).toEqual([
    expect.stringMatching(/^warning administrator: none has a second factor/),
  ]);
  await asOwner('drop table staff_totp; alter table put_away rename to staff_totp');

  expect(await wrong({ NATS_URL: `nats://user:canary-7b1QmZ@127.0.0.1:${port}` }, offline)).toEqual([
    expect.stringMatching(/^failure NATS: 127\.0\.0\.1:\d+ does not answer/),
  ]);
  expect(await wrong({ S3_SECRET_ACCESS_KEY: 'canary-7b1QmZ' }, offline)).toEqual([
    expect.stringMatching(/^failure S3: the key may not write .*answered 403/),
  ]);
  const foreign = await newBucket();
  await setUpBucket(foreign, 'https://elsewhere.example');
  expect(await wrong(s3Environment(foreign), offline)).toEqual([
    expect.stringMatching(/^failure S3: browsers may not upload .*media setup/),
  ]);
  expect(await wrong({ S3_PUBLIC_ENDPOINT: `http://127.0.0.1:${port}` }, offline)).toEqual([
    expect.stringMatching(/^warning S3: .*cannot be reached from here/),
  ]);
  const open = await openS3();
  fronts.push(open);
  expect(await wrong({ S3_ENDPOINT: open.url }, offline)).toEqual([
    expect.stringMatching(/^failure S3: anybody can read .*Make the bucket private/),
    expect.stringMatching(/^failure S3: browsers may not upload/),
  ]);
});

test('[OPS-38] a provider of single sign-on that does not answer, or has another name, is reported', async () => {
  const provider = await startProvider('http://settee.test/');
  const { clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET } = CLIENT;
  const wrongWith = async (issuer: string) =>
    (await wrong({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET })).filter((line) =>
      line.includes(' single sign-on: '),
    );
  expect(await wrongWith(provider.issuer)).toEqual([]);
  expect(await wrongWith(provider.issuer.replace('127.0.0.1', 'localhost'))).toEqual([
    expect.stringMatching(/^failure single sign-on: .*by another issuer/),
  ]);
  await provider.stop();
  expect(await wrongWith(provider.issuer)).toEqual([
    expect.stringMatching(/^failure single sign-on: .*no discovery document \(ECONNREFUSED\)/),
  ]);
});

test('[OPS-38] doctor uses the public address like a browser, and finds a proxy that blocks or is trusted too much', async () => {
  const about = (lines: string[]) => lines.filter((line) => !line.includes(' S3: '));
  expect(about(await wrong({ PUBLIC_URL: `http://localhost:${await freePort()}` }))).toEqual([
    expect.stringMatching(/^failure PUBLIC_URL: .*does not answer \(ECONNREFUSED\).*Start the gateway/),
  ]);
  expect(about(await wrong({ PUBLIC_URL: 'https://chat.example' }, { offline: true }))).toEqual([
    expect.stringMatching(/^warning TRUST_PROXY: trusts no proxy, but https needs one/),
  ]);
  // Without the database, nothing answers correctly. The proxy is not to blame.
  const away = { DATABASE_URL: `postgres://localhost:${await freePort()}/settee` };
  expect(about(await wrong({ ...away, PUBLIC_URL: `http://localhost:${await freePort()}` }))).toEqual([
    expect.stringMatching(/^failure database: .*does not answer/),
    expect.stringMatching(/^warning PUBLIC_URL: .* because the database does not answer/),
  ]);
  // A gateway behind a proxy, and the findings about both.
  const events: string[] = [];
  const security = { record: ({ event }: { event: string }) => void events.push(event), flush: () => {} };
  let target = '';
  const trust = '127.0.0.2';
  const fronts: [how: Parameters<typeof proxyTo>[1], findings: RegExp[]][] = [
    [{ from: trust }, []],
    [{ from: trust, upgrades: false }, [/^failure PUBLIC_URL: no WebSocket .*Upgrade/]],
    [{ from: trust, appends: false }, [/^failure TRUST_PROXY: the gateway accepts a forged X-Forwarded-For/]],
  ];
  for (const [how, findings] of fronts) {
    const front = await proxyTo(() => target, how);
    const config = { port: 0, publicUrl: front.url, trustProxy: [trust] };
    const gateway = await server.startAnother({ config, security });
    target = gateway.url;
    expect(about(await wrong({ PUBLIC_URL: front.url, TRUST_PROXY: trust }))).toEqual(
      findings.map((finding) => expect.stringMatching(finding)),
    );
    await gateway.stop();
    await front.close();
  }
  // Its sign-in is no event for a SIEM. A stranger cannot pass for it.
  expect(events).toEqual([]);
  const gateway = await server.startAnother({ config: { port: 0 }, security });
  const stranger = { email: `${randomUUID()}.${'0'.repeat(20)}@doctor.invalid`, password: 'x'.repeat(20) };
  await fetch(`${gateway.url}/auth/staff/sign-in`, {
    method: 'POST',
    headers: { origin: server.app.config.publicUrl, 'content-type': 'application/json' },
    body: JSON.stringify(stranger),
  });
  expect(events).toEqual(['sign_in_failed']);
  await gateway.stop();
});

test('[OPS-38] doctor never prints a secret, whatever is wrong', async () => {
  const key = makeVapidKey();
  const canaries = [
    'canary-7b1QmZ',
    key,
    inject('engines').S3_SECRET_ACCESS_KEY ?? '',
    new URL(env.DATABASE_URL ?? '').password,
  ];
  const broken = {
    ...env,
    VAPID_PRIVATE_KEY: key,
    VAPID_SUBJECT: 'mailto:you@example.com',
    NATS_URL: 'nats://user:canary-7b1QmZ@127.0.0.1:1',
    S3_BUCKET: 'no-such-bucket',
    PUBLIC_URL: 'http://127.0.0.1:1',
  };
  const cases: [string[], Record<string, string>][] = [
    [['doctor'], broken],
    [['doctor', '--json'], { ...broken, DATABASE_URL: 'postgres://user:canary-7b1QmZ@127.0.0.1:1/x' }],
    [['doctor'], { ...broken, S3_ENDPOINT: 'ftp://canary-7b1QmZ', SECRET: 'canary-7b1QmZ' }],
  ];
  for (const [args, changed] of cases) {
    const { code, out, err } = await settee(args, changed);
    expect(code).toBe(1);
    for (const canary of canaries) expect(out + err).not.toContain(canary);
  }
});
