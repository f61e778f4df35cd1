import { readFileSync } from 'node:fs';
import { isMailAddress } from '@settee/protocol/model/mail';
import { ConfigReader } from './configReader.ts';
import type { OlderKeys } from './keys.ts';
import { type Misspelled, misspelled } from './misspelled.ts';
import { vapidPublicKey } from './vapidKey.ts';

/**
 * The only reader of the environment. This table has every key and its explanation. `settee env` prints .env.example
 * from it. A `secret` may also come from a file that KEY_FILE names.
 */
export type Key = { help: string; required?: true; fallback?: string; secret?: true };

/** The cell of an installation that is alone. Its cookies and links carry no tag. */
export const ONLY_CELL = 'a0';

export const keys = {
  DATABASE_URL: {
    help: 'PostgreSQL 15 or newer: postgres://user:password@host:5432/settee. With TLS, add ?sslmode=verify-full.',
    required: true,
    secret: true,
  },
  SECRET: {
    help: 'At least 32 random characters (openssl rand -base64 32). To change it, set SECRET_PREVIOUS to the old one: see docs/operate.md.',
    required: true,
    secret: true,
  },
  PUBLIC_URL: {
    help: 'Public address of the pages, without a path. Only pages from this origin can use the cookies; with https they are Secure. Default: http://localhost:PORT.',
  },
  HOST: { help: 'Address to listen on; 0.0.0.0 in a container.', fallback: '127.0.0.1' },
  PORT: { help: 'Port to listen on.', fallback: '8080' },
  GATEWAYS: {
    help: 'Gateways to start on PORT, for a machine with several cores. Each opens its own connections to PostgreSQL. More than one needs NATS_URL. The second serves PRIVATE_PORT plus 1, and so on; only the first runs jobs.',
    fallback: '1',
  },
  TRUST_PROXY: {
    help: 'Proxies whose X-Forwarded-For is trusted: addresses, ranges (10.0.0.0/8), loopback or uniquelocal, separated by commas; false for none.',
    fallback: 'false',
  },
  HSTS_SUBDOMAINS: {
    help: 'true if browsers must use https for all subdomains of the host of PUBLIC_URL too. Browsers remember it for a year.',
    fallback: 'false',
  },
  PRIVATE_PORT: {
    help: 'Port for /healthz, /readyz and /metrics of gateways and workers. Without it, they are not served. Do not expose it to the internet.',
  },
  PRIVATE_HOST: {
    help: 'Address for PRIVATE_PORT; 0.0.0.0 in a container if only the cluster can reach the port.',
    fallback: '127.0.0.1',
  },
  STOP_DELAY_SECONDS: {
    help: 'Time that a gateway keeps serving after a stop signal, while /readyz already answers 503. Set it to the time that your load balancer needs to notice.',
    fallback: '0',
  },
  WEB_ROOT: { help: 'Folder of the built pages.', fallback: 'web/dist' },
  DATABASE_OWNER_URL: {
    help: 'The same database with the role that owns the tables, only for `settee migrate` and `settee restore`. Then DATABASE_URL names a second role, which `settee migrate` creates: it cannot change the audit log or the tables.',
    secret: true,
  },
  DATABASE_CONNECTIONS: {
    help: 'Maximum connections to PostgreSQL for the calls of a gateway. A gateway also opens APPEND_LANES connections for messages, 3 for access checks and moderation, 3 to 6 for jobs if it runs them (this number, within those limits), one more with SMTP_URL, and two with PRIVATE_PORT.',
    fallback: '10',
  },
  ALLOW_UNSAFE_DATABASE: {
    help: 'true to start although PostgreSQL has fsync or full_page_writes off, for development and tests only. A power failure can then lose acknowledged messages, or all data.',
    fallback: 'false',
  },
  APPEND_LANES: { help: 'Maximum batches of messages in progress to PostgreSQL.', fallback: '2' },
  NATS_URL: {
    help: 'NATS 2.15 or newer: nats://host:4222; separate the servers of a cluster with commas. With TLS: tls://host:4222, and handshake_first in the server. Without it, only one gateway can run.',
    secret: true,
  },
  REQUIRE_TLS: {
    help: 'true to refuse a configuration that connects to PostgreSQL, NATS, S3 or the mail server without TLS. For your own certificate authority, set NODE_EXTRA_CA_CERTS to the path of its certificate.',
    fallback: 'false',
  },
  SWEEP_SECONDS: {
    help: 'Interval at which a gateway looks for changes that a lost hint missed, and for staff who left: 1 to 10 seconds.',
    fallback: '2',
  },
  CELL: {
    help: 'Two characters [0-9a-z] at the start of every invite token. Give each cell its own: see docs/scale.md.',
    fallback: ONLY_CELL,
  },
  S3_ENDPOINT: {
    help: 'S3 API for images. Set all five S3 keys or none. Without them, images are stored in MEDIA_ROOT.',
  },
  S3_REGION: { help: 'Region of the bucket.' },
  S3_BUCKET: { help: 'Bucket for images. It must not be public.' },
  S3_ACCESS_KEY_ID: {
    help: 'Access key that can read, write, delete and list in the bucket. Without the right to list, S3 reports a missing object as forbidden.',
    secret: true,
  },
  S3_SECRET_ACCESS_KEY: { help: 'Secret of the access key.', secret: true },
  S3_PUBLIC_ENDPOINT: {
    help: 'Address of the S3 API for browsers, if it is not S3_ENDPOINT. Browsers upload and load images there directly.',
  },
  MEDIA_ROOT: { help: 'Folder for images without S3.', fallback: '.settee/media' },
  SECOND_FACTOR: {
    help: 'Who must set up a second factor within seven days of the first sign-in: administrators (for the admin area), everyone, or optional (nobody).',
    fallback: 'administrators',
  },
  SESSION_DAYS: { help: 'Maximum days that a handler stays signed in.', fallback: '30' },
  SESSION_IDLE_HOURS: {
    help: 'Hours after the last action of a handler in a page until the session ends.',
    fallback: '168',
  },
  ADMIN_SESSION_DAYS: { help: 'Maximum days that an administrator stays signed in.', fallback: '7' },
  ADMIN_SESSION_IDLE_HOURS: {
    help: 'Hours after the last action of an administrator in a page until the session ends.',
    fallback: '12',
  },
  OIDC_ISSUER: {
    help: 'Single sign-on for staff: the issuer of an OpenID Connect provider, https://login.example.com (http only on this machine). Register PUBLIC_URL/auth/staff/sso/callback there. See docs/operate.md.',
  },
  OIDC_CLIENT_ID: { help: 'Client id at the provider. Required with OIDC_ISSUER.' },
  OIDC_CLIENT_SECRET: { help: 'Client secret. Required with OIDC_ISSUER.', secret: true },
  OIDC_NAME: { help: 'Name of the provider on the sign-in page.', fallback: 'single sign-on' },
  OIDC_ROLE_CLAIM: {
    help: 'Claim with the role: admin or handler, or a list with one of them. Then it decides at every single sign-on. Without it, roles are managed in Settee.',
  },
  SECRET_PREVIOUS: {
    help: 'The previous SECRET, while you change it. Everything signed with it stays valid, and stored second factors move to the new one.',
    secret: true,
  },
  VAPID_PRIVATE_KEY: {
    help: 'Key for notifications; `settee push key` prints one. Without it, there are no notifications. A new key ends every subscription.',
    secret: true,
  },
  VAPID_SUBJECT: {
    help: 'Contact for push services: mailto:you@example.com or an https address. Required with VAPID_PRIVATE_KEY.',
  },
  PUSH_HOSTS: {
    help: 'Additional push services, besides those of Chrome, Edge, Firefox and Safari: host or host:port, separated by commas. Only these can have a private address.',
  },
  WEBHOOK_HOSTS: {
    help: 'Receivers of webhooks in your own network: host or host:port, separated by commas. Only these can have a private address or another port than 443.',
  },
  SMTP_URL: {
    help: 'Mail server: smtp://user:password@host:587, or smtps://…:465. Without it, Settee sends no mail. A worker or a gateway with RUN_JOBS needs it to send, every gateway to offer it.',
    secret: true,
  },
  MAIL_FROM: {
    help: 'Address that mails come from: chat@example.com. Required with SMTP_URL. The name beside it is that of the public profile. Handlers must not read this mailbox: answers and bounces show the addresses of visitors.',
  },
  SMTP_TLS: {
    help: 'required, or off for a mail server without TLS, which REQUIRE_TLS refuses. With smtp://, required means STARTTLS. Default: required, unless the mail server is on this machine (localhost).',
  },
  RUN_JOBS: {
    help: 'true if this gateway also runs jobs (images, notifications, mail, cleanup); false if separate workers do: node server/src/jobs/worker.ts.',
    fallback: 'true',
  },
  BACKUP_DIR: {
    help: 'Folder for backups. `settee backup` creates a new folder in it, and `settee doctor` reports the age of the newest.',
  },
  BACKUP_AT: {
    help: 'Time of day, in UTC, at which `settee backup schedule` makes a backup.',
    fallback: '03:00',
  },
  BACKUP_KEEP_DAYS: {
    help: 'Days for which `settee backup schedule` keeps backups. It always keeps the newest.',
    fallback: '7',
  },
  BACKUP_HOOK: {
    help: 'Program that `settee backup schedule` runs after each verified backup, for example to copy it to another machine: a path, and arguments separated by spaces. The last argument is the folder of the backup.',
  },
  LOG_LEVEL: { help: 'fatal, error, warn, info, debug, trace or silent.', fallback: 'info' },
  SECURITY_LOG: {
    help: 'Where security events go (docs/security-events.md): stdout, off, or the path of a file.',
    fallback: 'stdout',
  },
  SECURITY_LOG_ADDRESSES: {
    help: 'Addresses in security events: hashed (another hash every day) or full.',
    fallback: 'hashed',
  },
  TRACES_URL: {
    help: 'OTLP/HTTP endpoint for traces of messages: http://collector:4318/v1/traces. Without it, there are no traces.',
    secret: true,
  },
  TRACES_SHARE: { help: 'Share of messages to trace: 0 to 1.', fallback: '0.01' },
  SEND_BURST: { help: 'Maximum messages of a visitor in a burst.', fallback: '60' },
  SEND_PER_SECOND: { help: 'Maximum messages per second of a visitor after that.', fallback: '1' },
  LOOKUPS_PER_MINUTE: { help: 'Maximum invite lookups per minute and address.', fallback: '30' },
  CODES_PER_HOUR: { help: 'Maximum continue codes per hour and address.', fallback: '10' },
  SOCKETS_PER_VISITOR: { help: 'Maximum open sockets of a visitor.', fallback: '5' },
  LIMIT_FACTOR: {
    help: 'Multiplies the limits in docs/security.md, except those against guessing. Raise it if many people share one address.',
    fallback: '1',
  },
} as const satisfies Record<string, Key>;

/** How to call the command line, for messages: with npm in a checkout, otherwise as in the guides of docs/install.md. */
export const COMMAND = process.env.npm_lifecycle_event === 'settee' ? 'npm run settee --' : 'settee';

type KeyName = keyof typeof keys;
const KEY_NAMES = Object.keys(keys) as KeyName[];
const S3_KEYS = [
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const;
type Environment = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const SECRET_MIN = 32;

const SECOND_FACTOR_POLICIES = ['administrators', 'everyone', 'optional'] as const;
export type SecondFactorPolicy = (typeof SECOND_FACTOR_POLICIES)[number];

export type S3Config = NonNullable<ReturnType<typeof readS3>>;

export type Config = ReturnType<typeof readAll> & {
  /** Its number, if it is one of several (GATEWAYS). */
  gateway?: number;
  /** Of earlier secrets, read from the database when a gateway starts (reconcileSecret.ts). */
  olderKeys?: OlderKeys;
};

/** Lists all problems at once. */
export class BadConfig extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'BadConfig';
    this.problems = problems;
  }
}

export function readConfig(env: Environment = process.env): Config {
  return readWith(env, KEY_NAMES, readAll);
}

/** For the migration, which gets no other secret. */
export function readDatabaseConfig(
  env: Environment = process.env,
): Pick<Config, 'databaseUrl' | 'databaseOwnerUrl'> {
  return readWith(env, ['DATABASE_URL', 'DATABASE_OWNER_URL', 'REQUIRE_TLS'], (read) => {
    readRequireTls(read);
    return readDatabase(read);
  });
}

/** For the setup of the bucket, which gets no other secret. */
export function readBucketConfig(env: Environment = process.env): Pick<Config, 's3' | 'publicUrl'> {
  return readWith(env, [...S3_KEYS, 'S3_PUBLIC_ENDPOINT', 'PUBLIC_URL', 'PORT', 'REQUIRE_TLS'], (read) => {
    readRequireTls(read);
    const s3 = readS3(read);
    return { publicUrl: readPublicUrl(read), ...(s3 !== undefined && { s3 }) };
  });
}

/** Reads the given keys. A key that is required must be among them. */
function readWith<T>(
  env: Environment,
  names: readonly KeyName[],
  read: (from: ConfigReader<KeyName>) => T,
): T {
  const problems: string[] = [];
  const result = read(new ConfigReader(readValues(env, problems, names), problems));
  if (problems.length > 0) throw new BadConfig(problems);
  return result;
}

/** For commands that need no other setting. Undefined without SECRET. */
export function readSecrets(
  env: Environment = process.env,
): Pick<Config, 'secret' | 'secretPrevious'> | undefined {
  const problems: string[] = [];
  const values = readValues(env, problems, ['SECRET', 'SECRET_PREVIOUS']);
  const [secret, secretPrevious] = [values.get('SECRET'), values.get('SECRET_PREVIOUS')];
  if (secret === undefined) return undefined;
  return { secret, ...(secretPrevious !== undefined && { secretPrevious }) };
}

function readAll(read: ConfigReader<KeyName>) {
  const port = read.integer('PORT', 0, 65_535);
  const natsUrl = read.urls('NATS_URL', ['nats:', 'tls:', 'ws:', 'wss:']);
  const s3 = readS3(read);
  readRequireTls(read);
  const vapid = readVapid(read);
  const tracesUrl = read.url('TRACES_URL', ['http:', 'https:']);
  const share = read.share('TRACES_SHARE');
  const singleSignOn = readSingleSignOn(read);
  const mail = readMail(read);
  return {
    ...readDatabase(read),
    databaseConnections: read.integer('DATABASE_CONNECTIONS', 1, 1_000),
    allowUnsafeDatabase: read.oneOf('ALLOW_UNSAFE_DATABASE', ['true', 'false']) === 'true',
    port,
    gateways: readGateways(read),
    host: read.text('HOST'),
    ...(read.text('PRIVATE_PORT') !== '' && { privatePort: read.integer('PRIVATE_PORT', 0, 65_535) }),
    privateHost: read.text('PRIVATE_HOST'),
    stopDelaySeconds: read.integer('STOP_DELAY_SECONDS', 0, 300),
    publicUrl: readPublicUrl(read),
    hstsSubdomains: read.oneOf('HSTS_SUBDOMAINS', ['true', 'false']) === 'true',
    /** One URL, or several separated by commas. */
    ...(natsUrl !== undefined && { natsUrl }),
    ...(s3 !== undefined && { s3 }),
    /** Without it there are no notifications. */
    ...(vapid !== undefined && { vapid }),
    pushHosts: read.hosts('PUSH_HOSTS'),
    webhookHosts: read.hosts('WEBHOOK_HOSTS'),
    /** Without it there are no mails. */
    ...(mail !== undefined && { mail }),
    ...(tracesUrl !== undefined && { traces: { url: tracesUrl, share } }),
    runJobs: read.oneOf('RUN_JOBS', ['true', 'false']) === 'true',
    secret: read.longer('SECRET', SECRET_MIN),
    ...(read.text('SECRET_PREVIOUS') !== '' && {
      secretPrevious: read.longer('SECRET_PREVIOUS', SECRET_MIN),
    }),
    secondFactor: read.oneOf('SECOND_FACTOR', SECOND_FACTOR_POLICIES),
    ...(singleSignOn !== undefined && { singleSignOn }),
    sessions: {
      handler: {
        days: read.integer('SESSION_DAYS', 1, 365),
        idleHours: read.integer('SESSION_IDLE_HOURS', 1, 8_760),
      },
      admin: {
        days: read.integer('ADMIN_SESSION_DAYS', 1, 365),
        idleHours: read.integer('ADMIN_SESSION_IDLE_HOURS', 1, 8_760),
      },
    },
    cell: read.matching('CELL', /^[0-9a-z]{2}$/, 'must be two characters out of 0-9 and a-z'),
    /** Addresses, not a number of hops: a client that bypasses the proxy must not forge its address. */
    trustProxy: read.addresses('TRUST_PROXY'),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS),
    securityLog: read.text('SECURITY_LOG'),
    securityLogAddresses: read.oneOf('SECURITY_LOG_ADDRESSES', ['hashed', 'full']),
    webRoot: read.text('WEB_ROOT'),
    sendBurst: read.integer('SEND_BURST', 1, 100_000),
    sendPerSecond: read.integer('SEND_PER_SECOND', 1, 100_000),
    lookupsPerMinute: read.integer('LOOKUPS_PER_MINUTE', 1, 1_000_000),
    codesPerHour: read.integer('CODES_PER_HOUR', 1, 1_000_000),
    limitFactor: read.integer('LIMIT_FACTOR', 1, 10_000),
    socketsPerVisitor: read.integer('SOCKETS_PER_VISITOR', 1, 1_000),
    // Only the sweep notices an expired presence lease: 45 s plus this stays below the promised 60.
    sweepSeconds: read.integer('SWEEP_SECONDS', 1, 10),
    mediaRoot: read.text('MEDIA_ROOT'),
    ...(read.text('BACKUP_DIR') !== '' && { backupDir: read.text('BACKUP_DIR') }),
    backupAt: read.matching(
      'BACKUP_AT',
      /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/,
      'must be a time from 00:00 to 23:59',
    ),
    backupKeepDays: read.integer('BACKUP_KEEP_DAYS', 1, 3_650),
    backupHook: read.text('BACKUP_HOOK').split(' ').filter(Boolean),
    appendLanes: read.integer('APPEND_LANES', 1, 100),
  };
}

/** Names in the environment that have no effect, because they are misspelled settings. */
export function misspelledSettings(env: Environment = process.env): Misspelled[] {
  const settings = Object.entries<Key>(keys).flatMap(([name, { secret }]) =>
    secret === true ? [name, `${name}_FILE`] : [name],
  );
  return misspelled(Object.keys(env), settings);
}

export function exampleEnvironment(): string {
  const blocks = Object.entries<Key>(keys).map(([name, key]) => {
    const file = key.secret === true ? ` (or ${name}_FILE: the path of a file with the value)` : '';
    const line = `${name}=${key.fallback ?? ''}`;
    return `# ${key.help}${file}\n${key.required === true ? line : `# ${line}`}\n`;
  });
  return `# The settings of Settee. Fill in the lines that start with a name. The other lines show the default.\n\n${blocks.join('\n')}`;
}

/** Values by key, with defaults. An empty value counts as missing. */
function readValues(env: Environment, problems: string[], names: readonly KeyName[]): Map<KeyName, string> {
  const values = new Map<KeyName, string>();
  for (const name of names) {
    const key: Key = keys[name];
    const value = env[name] || (key.secret === true ? readSecretFile(env, name, problems) : undefined);
    const chosen = value ?? key.fallback;
    if (chosen !== undefined) values.set(name, chosen);
    else if (key.required === true && !env[`${name}_FILE`]) problems.push(`${name} is missing. ${key.help}`);
  }
  return values;
}

function readSecretFile(env: Environment, name: KeyName, problems: string[]): string | undefined {
  const path = env[`${name}_FILE`];
  if (!path) return undefined;
  try {
    const content = readFileSync(path, 'utf8').trim();
    if (content !== '') return content;
    problems.push(`${name}_FILE names an empty file: ${path}`);
  } catch {
    problems.push(`${name}_FILE names a file that cannot be read: ${path}`);
  }
  return undefined;
}

const POSTGRES = ['postgres:', 'postgresql:'];

function readDatabase(read: ConfigReader<KeyName>) {
  return {
    databaseUrl: read.credentialUrl('DATABASE_URL', POSTGRES),
    ...(read.text('DATABASE_OWNER_URL') !== '' && {
      databaseOwnerUrl: read.credentialUrl('DATABASE_OWNER_URL', POSTGRES),
    }),
  };
}

function readGateways(read: ConfigReader<KeyName>): number {
  const gateways = read.integer('GATEWAYS', 1, 64);
  if (gateways > 1 && read.text('NATS_URL') === '')
    read.problem('GATEWAYS is more than 1, so NATS_URL is needed: gateways tell each other about messages');
  const [port, first] = [Number(read.text('PORT')), Number(read.text('PRIVATE_PORT'))];
  const last = first + gateways - 1;
  if (gateways > 1 && first > 0 && (last > 65_535 || (port >= first && port <= last)))
    read.problem(`The gateways use the private ports ${first} to ${last}: choose another PRIVATE_PORT`);
  return gateways;
}

/** An origin, without a trailing slash. */
function readPublicUrl(read: ConfigReader<KeyName>): string {
  return read.origin('PUBLIC_URL') ?? `http://localhost:${read.integer('PORT', 0, 65_535)}`;
}

function readS3(read: ConfigReader<KeyName>) {
  const missing = S3_KEYS.filter((name) => read.text(name) === '');
  if (missing.length === S3_KEYS.length) return undefined;
  if (missing.length > 0) read.problem(`S3 needs all five keys or none; missing: ${missing.join(', ')}`);
  const endpoint = read.url('S3_ENDPOINT', ['http:', 'https:']) ?? '';
  return {
    endpoint,
    /** For browsers. */
    publicEndpoint: read.url('S3_PUBLIC_ENDPOINT', ['http:', 'https:']) ?? endpoint,
    region: read.text('S3_REGION'),
    bucket: read.text('S3_BUCKET'),
    accessKeyId: read.text('S3_ACCESS_KEY_ID'),
    secretAccessKey: read.text('S3_SECRET_ACCESS_KEY'),
  };
}

/** The address of a page that only this cell can serve. The router in front of several cells reads the tag. */
export function cellPage({ publicUrl, cell }: Pick<Config, 'publicUrl' | 'cell'>, path: string): string {
  return `${publicUrl}${path}${cell === ONLY_CELL ? '' : `?cell=${cell}`}`;
}

/** Where browsers load and send images. */
export function publicBucketUrl({ publicEndpoint, bucket }: S3Config): string {
  return `${publicEndpoint.replace(/\/+$/, '')}/${bucket}/`;
}

/** Each client verifies the certificate and the host name, and none falls back to a connection without TLS. */
function readRequireTls(read: ConfigReader<KeyName>): void {
  if (read.oneOf('REQUIRE_TLS', ['true', 'false']) === 'false') return;
  for (const name of ['DATABASE_URL', 'DATABASE_OWNER_URL'] as const) {
    const url = read.text(name);
    if (url !== '' && URL.parse(url)?.searchParams.get('sslmode') !== 'verify-full')
      read.problem(`REQUIRE_TLS is true, so ${name} needs ?sslmode=verify-full`);
  }
  const nats = read.text('NATS_URL');
  if (nats !== '' && !nats.split(',').every((url) => /^(?:tls|wss):/.test(url.trim())))
    read.problem('REQUIRE_TLS is true, so NATS_URL must start with tls://');
  const s3 = read.text('S3_ENDPOINT');
  if (s3 !== '' && !s3.startsWith('https:'))
    read.problem('REQUIRE_TLS is true, so S3_ENDPOINT must start with https://');
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

export type MailConfig = NonNullable<ReturnType<typeof readMail>>;

function readMail(read: ConfigReader<KeyName>) {
  const url = read.credentialUrl('SMTP_URL', ['smtp:', 'smtps:']);
  if (url === '') return undefined;
  const from = read.text('MAIL_FROM');
  if (!isMailAddress(from)) read.problem('MAIL_FROM must be one address, such as chat@example.com');
  const parsed = URL.parse(url);
  const implicit = parsed?.protocol === 'smtps:';
  const isNear = !implicit && LOOPBACK.includes(parsed?.hostname ?? '');
  const tls = read.text('SMTP_TLS') || (isNear ? 'off' : 'required');
  if (!['required', 'off'].includes(tls)) read.problem('SMTP_TLS must be required or off');
  if (implicit && tls === 'off') read.problem('SMTP_TLS is off, so SMTP_URL must start with smtp://');
  if (tls === 'off' && read.text('REQUIRE_TLS') === 'true')
    read.problem('REQUIRE_TLS is true, so SMTP_TLS must be required');
  const { hostname = '', port = '', username = '', password = '' } = parsed ?? {};
  if (parsed !== null && hostname === '') read.problem('SMTP_URL has no host');
  if (username !== '' && password === '') read.problem('SMTP_URL has a user without a password');
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (implicit ? 465 : 587),
    /** TLS from the first byte, with STARTTLS, or none. */
    tls: implicit ? ('implicit' as const) : tls === 'off' ? ('off' as const) : ('starttls' as const),
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    from,
  };
}

export type SingleSignOn = NonNullable<ReturnType<typeof readSingleSignOn>>;

function readSingleSignOn(read: ConfigReader<KeyName>) {
  const issuer = read.url('OIDC_ISSUER', ['http:', 'https:']);
  if (issuer === undefined) return undefined;
  const url = URL.parse(issuer);
  if (url?.protocol === 'http:' && !LOOPBACK.includes(url.hostname))
    read.problem('OIDC_ISSUER must be an https URL');
  for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const)
    if (read.text(name) === '') read.problem(`${name} is missing; OIDC_ISSUER needs it`);
  const roleClaim = read.text('OIDC_ROLE_CLAIM');
  return {
    issuer,
    clientId: read.text('OIDC_CLIENT_ID'),
    clientSecret: read.text('OIDC_CLIENT_SECRET'),
    name: read.text('OIDC_NAME'),
    ...(roleClaim !== '' && { roleClaim }),
  };
}

/** 32 bytes in base64url. */
const VAPID_KEY = /^[A-Za-z0-9_-]{43}$/;

function readVapid(read: ConfigReader<KeyName>): { privateKey: string; subject: string } | undefined {
  const privateKey = read.text('VAPID_PRIVATE_KEY');
  if (privateKey === '') return undefined;
  if (!VAPID_KEY.test(privateKey) || vapidPublicKey(privateKey) === undefined)
    read.problem('VAPID_PRIVATE_KEY must be a key from settee push key');
  const subject = read.text('VAPID_SUBJECT');
  if (subject === '') read.problem('VAPID_SUBJECT is missing; VAPID_PRIVATE_KEY needs it');
  else if (!/^mailto:[^\s@:/]+@[^\s@]+$/.test(subject) && URL.parse(subject)?.protocol !== 'https:')
    read.problem('VAPID_SUBJECT must be mailto: with an address, or an https URL');
  return { privateKey, subject };
}
