import { readFileSync } from 'node:fs';
import { ConfigReader } from './configReader.ts';
import type { OlderKeys } from './keys.ts';
import { vapidPublicKey } from './vapidKey.ts';

/**
 * The only reader of the environment. This table has every key and its explanation. `settee env` prints .env.example
 * from it. A `secret` may also come from a file that KEY_FILE names.
 */
type Key = { help: string; required?: true; fallback?: string; secret?: true };

export const keys = {
  DATABASE_URL: {
    help: 'PostgreSQL 15 or newer: postgres://user:password@host:5432/settee',
    required: true,
    secret: true,
  },
  DATABASE_CONNECTIONS: {
    help: 'Maximum connections to PostgreSQL for the calls of a gateway. A gateway also opens APPEND_LANES connections for messages, 3 to 6 for jobs if it runs them (this number, within those limits), and two with PRIVATE_PORT.',
    fallback: '10',
  },
  SECRET: {
    help: 'At least 32 random characters (openssl rand -base64 32). To change it, set SECRET_PREVIOUS to the old one: see docs/operate.md.',
    required: true,
    secret: true,
  },
  SECRET_PREVIOUS: {
    help: 'The previous SECRET, while you change it. Everything signed with it stays valid, and stored second factors move to the new one.',
    secret: true,
  },
  SECOND_FACTOR: {
    help: 'Who must set up a second factor within seven days of the first sign-in: administrators (for the admin area), everyone, or optional (nobody).',
    fallback: 'administrators',
  },
  PORT: { help: 'Port to listen on.', fallback: '8080' },
  HOST: { help: 'Address to listen on; 0.0.0.0 in a container.', fallback: '127.0.0.1' },
  PUBLIC_URL: {
    help: 'Public address of the pages, without a path. Only pages from this origin can use the cookies; with https they are Secure. Default: http://localhost:PORT.',
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
  TRUST_PROXY: {
    help: 'Proxies whose X-Forwarded-For is trusted: addresses, ranges (10.0.0.0/8), loopback or uniquelocal, separated by commas; false for none.',
    fallback: 'false',
  },
  NATS_URL: {
    help: 'NATS 2.15 or newer: nats://host:4222; separate the servers of a cluster with commas. Without it, only one gateway can run.',
    secret: true,
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
  RUN_JOBS: {
    help: 'true if this gateway also runs jobs (images, notifications, cleanup); false if separate workers do: node server/src/jobs/worker.ts.',
    fallback: 'true',
  },
  BACKUP_DIR: {
    help: 'Folder for backups. `settee backup` creates a new folder in it, and `settee doctor` reports the age of the newest.',
  },
  WEB_ROOT: { help: 'Folder of the built pages.', fallback: 'web/dist' },
  CELL: { help: 'Two characters [0-9a-z] at the start of every invite token of this cell.', fallback: 'a0' },
  LOG_LEVEL: { help: 'fatal, error, warn, info, debug, trace or silent.', fallback: 'info' },
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
  SWEEP_SECONDS: {
    help: 'Interval at which a gateway looks for changes that a lost hint missed, and for staff who left: 1 to 10 seconds.',
    fallback: '2',
  },
  APPEND_LANES: { help: 'Maximum batches of messages in progress to PostgreSQL.', fallback: '2' },
} as const satisfies Record<string, Key>;

/** How to call the command line, for messages: with npm in a checkout, otherwise as in docs/install.md. */
export const COMMAND = process.env.npm_lifecycle_event === 'settee' ? 'npm run settee --' : 'settee';

type KeyName = keyof typeof keys;
type Environment = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const SECRET_MIN = 32;

const SECOND_FACTOR_POLICIES = ['administrators', 'everyone', 'optional'] as const;
export type SecondFactorPolicy = (typeof SECOND_FACTOR_POLICIES)[number];

export type S3Config = NonNullable<ReturnType<typeof readS3>>;

export type Config = ReturnType<typeof readAll> & {
  /** Of earlier secrets, read from the database when a gateway starts (actions/staff/reconcileSecret.ts). */
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
  const problems: string[] = [];
  const config = readAll(new ConfigReader(readValues(env, problems), problems));
  if (problems.length > 0) throw new BadConfig(problems);
  return config;
}

function readAll(read: ConfigReader<KeyName>) {
  const port = read.integer('PORT', 0, 65_535);
  const natsUrl = read.urls('NATS_URL', ['nats:', 'tls:', 'ws:', 'wss:']);
  const s3 = readS3(read);
  const vapid = readVapid(read);
  const tracesUrl = read.url('TRACES_URL', ['http:', 'https:']);
  const share = read.share('TRACES_SHARE');
  return {
    databaseUrl: read.databaseUrl('DATABASE_URL'),
    databaseConnections: read.integer('DATABASE_CONNECTIONS', 1, 1_000),
    port,
    host: read.text('HOST'),
    ...(read.text('PRIVATE_PORT') !== '' && { privatePort: read.integer('PRIVATE_PORT', 0, 65_535) }),
    privateHost: read.text('PRIVATE_HOST'),
    stopDelaySeconds: read.integer('STOP_DELAY_SECONDS', 0, 300),
    /** An origin, without a trailing slash. */
    publicUrl: read.origin('PUBLIC_URL') ?? `http://localhost:${port}`,
    /** One URL, or several separated by commas. */
    ...(natsUrl !== undefined && { natsUrl }),
    ...(s3 !== undefined && { s3 }),
    /** Without it there are no notifications. */
    ...(vapid !== undefined && { vapid }),
    pushHosts: read.hosts('PUSH_HOSTS'),
    ...(tracesUrl !== undefined && { traces: { url: tracesUrl, share } }),
    runJobs: read.oneOf('RUN_JOBS', ['true', 'false']) === 'true',
    secret: read.longer('SECRET', SECRET_MIN),
    ...(read.text('SECRET_PREVIOUS') !== '' && {
      secretPrevious: read.longer('SECRET_PREVIOUS', SECRET_MIN),
    }),
    secondFactor: read.oneOf('SECOND_FACTOR', SECOND_FACTOR_POLICIES),
    cell: read.matching('CELL', /^[0-9a-z]{2}$/, 'must be two characters out of 0-9 and a-z'),
    /** Addresses, not a number of hops: a client that bypasses the proxy must not forge its address. */
    trustProxy: read.addresses('TRUST_PROXY'),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS),
    webRoot: read.text('WEB_ROOT'),
    sendBurst: read.integer('SEND_BURST', 1, 100_000),
    sendPerSecond: read.integer('SEND_PER_SECOND', 1, 100_000),
    lookupsPerMinute: read.integer('LOOKUPS_PER_MINUTE', 1, 1_000_000),
    codesPerHour: read.integer('CODES_PER_HOUR', 1, 1_000_000),
    socketsPerVisitor: read.integer('SOCKETS_PER_VISITOR', 1, 1_000),
    // Only the sweep notices an expired presence lease: 45 s plus this stays below the promised 60.
    sweepSeconds: read.integer('SWEEP_SECONDS', 1, 10),
    mediaRoot: read.text('MEDIA_ROOT'),
    ...(read.text('BACKUP_DIR') !== '' && { backupDir: read.text('BACKUP_DIR') }),
    appendLanes: read.integer('APPEND_LANES', 1, 100),
  };
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
function readValues(env: Environment, problems: string[]): Map<KeyName, string> {
  const values = new Map<KeyName, string>();
  for (const [name, key] of Object.entries(keys) as [KeyName, Key][]) {
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

function readS3(read: ConfigReader<KeyName>) {
  const names = [
    'S3_ENDPOINT',
    'S3_REGION',
    'S3_BUCKET',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
  ] as const;
  const missing = names.filter((name) => read.text(name) === '');
  if (missing.length === names.length) return undefined;
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
