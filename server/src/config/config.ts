import { readFileSync } from 'node:fs';
import type { OlderKeys } from '../auth/keys.ts';
import { vapidPublicKey } from '../auth/vapidKey.ts';
import { ConfigReader } from './configReader.ts';

/**
 * The only reader of the environment. Every key stands in this table with the line that explains it;
 * .env.example is printed from it (`settee env`), and a test compares the two.
 * A `secret` may also come as a file: KEY_FILE names it.
 */
type Key = { help: string; required?: true; fallback?: string; secret?: true };

export const keys = {
  DATABASE_URL: {
    help: 'PostgreSQL 15 or newer: postgres://user:password@host:5432/settee',
    required: true,
    secret: true,
  },
  DATABASE_CONNECTIONS: {
    help: 'Connections to PostgreSQL that a gateway may open for its calls. Beside them it opens APPEND_LANES for messages, and whoever runs jobs opens 3 to 6 more for them (this number, within those bounds); with PRIVATE_PORT one more.',
    fallback: '10',
  },
  SECRET: {
    help: 'At least 32 random characters (openssl rand -base64 32). To change it, put the old one into SECRET_PREVIOUS: docs/operate.md says how.',
    required: true,
    secret: true,
  },
  SECRET_PREVIOUS: {
    help: 'The SECRET before this one, while you change it. What was signed with it stays valid, and stored second factors move to the new one.',
    secret: true,
  },
  SECOND_FACTOR: {
    help: 'Who must set up a second factor within seven days of the first sign-in: administrators (to use the admin area), everyone, or optional for nobody.',
    fallback: 'administrators',
  },
  PORT: { help: 'Port to listen on.', fallback: '8080' },
  HOST: { help: 'Address to listen on; 0.0.0.0 in a container.', fallback: '127.0.0.1' },
  PUBLIC_URL: {
    help: 'Where people reach the pages, with no path. Only pages from here may use the cookies; https makes them Secure. Default: http://localhost:PORT.',
  },
  PRIVATE_PORT: {
    help: 'Port for /healthz, /readyz and /metrics, of gateways and workers. Without it nothing of that is served. Never let the internet reach it.',
  },
  PRIVATE_HOST: {
    help: 'Address for PRIVATE_PORT; 0.0.0.0 in a container whose private port only the cluster reaches.',
    fallback: '127.0.0.1',
  },
  STOP_DELAY_SECONDS: {
    help: 'How long a gateway that was told to stop still serves, while /readyz already says no: as long as your load balancer takes to notice.',
    fallback: '0',
  },
  TRUST_PROXY: {
    help: 'Proxies whose X-Forwarded-For is believed: addresses, ranges (10.0.0.0/8), loopback or uniquelocal, with commas between; false for none.',
    fallback: 'false',
  },
  NATS_URL: {
    help: 'NATS 2.15 or newer: nats://host:4222; the servers of a cluster with commas between. Without it this must be the only gateway.',
    secret: true,
  },
  S3_ENDPOINT: { help: 'S3 API for media; all five S3 keys or none. Without them media lies in MEDIA_ROOT.' },
  S3_REGION: { help: 'Region of the bucket.' },
  S3_BUCKET: { help: 'Bucket for media. It must not be public.' },
  S3_ACCESS_KEY_ID: {
    help: 'Access key that may read, write, delete and list in the bucket: without the right to list, S3 calls a missing object forbidden.',
    secret: true,
  },
  S3_SECRET_ACCESS_KEY: { help: 'Its secret.', secret: true },
  S3_PUBLIC_ENDPOINT: {
    help: 'How browsers reach the S3 API, where that is not S3_ENDPOINT. Images go straight there and back.',
  },
  MEDIA_ROOT: { help: 'Folder for media when there is no S3.', fallback: '.settee/media' },
  VAPID_PRIVATE_KEY: {
    help: 'Key for notifications: settee push key prints one. Without it there are none. Changing it ends every subscription.',
    secret: true,
  },
  VAPID_SUBJECT: {
    help: 'How push services reach you when something is wrong: mailto:you@example.com or an https address. Needed with VAPID_PRIVATE_KEY.',
  },
  PUSH_HOSTS: {
    help: 'Push services besides those of Chrome, Edge, Firefox and Safari: host or host:port, with commas between. These alone may be on a private address.',
  },
  RUN_JOBS: {
    help: 'true if this gateway also works off jobs (images, notifications, tidying up); false where workers of their own do: node server/src/jobs/worker.ts.',
    fallback: 'true',
  },
  BACKUP_DIR: {
    help: 'Folder for backups: settee backup makes a new one in it, and doctor says how old the newest is.',
  },
  WEB_ROOT: { help: 'Folder of the built pages.', fallback: 'web/dist' },
  CELL: { help: 'Two characters [0-9a-z] that every invite token of this cell starts with.', fallback: 'a0' },
  LOG_LEVEL: { help: 'fatal, error, warn, info, debug, trace or silent.', fallback: 'info' },
  TRACES_URL: {
    help: 'Where traces of messages go, an OTLP/HTTP endpoint: http://collector:4318/v1/traces. Without it there are none.',
    secret: true,
  },
  TRACES_SHARE: { help: 'The share of messages that is traced: 0 to 1.', fallback: '0.01' },
  SEND_BURST: { help: 'Messages a visitor may send at once.', fallback: '60' },
  SEND_PER_SECOND: { help: 'Messages a second a visitor may send after that.', fallback: '1' },
  LOOKUPS_PER_MINUTE: { help: 'Invite look-ups a minute per address.', fallback: '30' },
  CODES_PER_HOUR: { help: 'Continue codes an hour that an address may try.', fallback: '10' },
  SOCKETS_PER_VISITOR: { help: 'Sockets that a visitor may hold open at once.', fallback: '5' },
  SWEEP_SECONDS: {
    help: 'How often a gateway looks for what a lost hint may have hidden, and who is no longer there: every 1 to 10 seconds.',
    fallback: '2',
  },
  APPEND_LANES: { help: 'Batches of messages under way to PostgreSQL at once.', fallback: '2' },
} as const satisfies Record<string, Key>;

/** How whoever reads a message calls the command line: from a checkout by npm, on a server as docs/install.md names it. */
export const COMMAND = process.env.npm_lifecycle_event === 'settee' ? 'npm run settee --' : 'settee';

type KeyName = keyof typeof keys;
type Environment = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const SECRET_MIN = 32;

/** Who must have a second factor. */
const SECOND_FACTOR_POLICIES = ['administrators', 'everyone', 'optional'] as const;
export type SecondFactorPolicy = (typeof SECOND_FACTOR_POLICIES)[number];

export type S3Config = {
  endpoint: string;
  /** As browsers reach it. */
  publicEndpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
};

export type Config = {
  databaseUrl: string;
  databaseConnections: number;
  port: number;
  host: string;
  /** Missing: no private port. */
  privatePort?: number;
  privateHost: string;
  stopDelaySeconds: number;
  /** An origin: scheme, host and port, no path, no trailing slash. */
  publicUrl: string;
  /** One address, or several with commas between. */
  natsUrl?: string;
  s3?: S3Config;
  /** For Web Push; without it there are no notifications. */
  vapid?: { privateKey: string; subject: string };
  pushHosts: string[];
  /** Where traces go, and of which share of all messages; without it there are none. */
  traces?: { url: string; share: number };
  runJobs: boolean;
  secret: string;
  /** While the secret is being changed: the one before it. */
  secretPrevious?: string;
  /** Of earlier secrets, read from the database when a gateway starts (actions/staff/settleSecret.ts). */
  olderKeys?: OlderKeys;
  secondFactor: SecondFactorPolicy;
  cell: string;
  /** Addresses rather than a number of hops: who reaches us past the proxy must not name its own address. */
  trustProxy: false | string[];
  logLevel: (typeof LOG_LEVELS)[number];
  webRoot: string;
  sendBurst: number;
  sendPerSecond: number;
  lookupsPerMinute: number;
  codesPerHour: number;
  socketsPerVisitor: number;
  sweepSeconds: number;
  mediaRoot: string;
  backupDir?: string;
  appendLanes: number;
};

/** All that is wrong at once: nobody should have to start a server six times to find six mistakes. */
export class BadConfig extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'BadConfig';
    this.problems = problems;
  }
}

export function readConfig(env: Environment = process.env): Config {
  const problems: string[] = [];
  const values = readValues(env, problems);
  const read = new ConfigReader(values, problems);

  const port = read.integer('PORT', 0, 65_535);
  const natsUrl = read.urls('NATS_URL', ['nats:', 'tls:', 'ws:', 'wss:']);
  const s3 = readS3(read);
  const vapid = readVapid(read);
  const tracesUrl = read.url('TRACES_URL', ['http:', 'https:']);
  const share = read.share('TRACES_SHARE');
  const config: Config = {
    databaseUrl: read.databaseUrl('DATABASE_URL'),
    databaseConnections: read.integer('DATABASE_CONNECTIONS', 1, 1_000),
    port,
    host: read.text('HOST'),
    ...(read.text('PRIVATE_PORT') !== '' && { privatePort: read.integer('PRIVATE_PORT', 0, 65_535) }),
    privateHost: read.text('PRIVATE_HOST'),
    stopDelaySeconds: read.integer('STOP_DELAY_SECONDS', 0, 300),
    publicUrl: read.origin('PUBLIC_URL') ?? `http://localhost:${port}`,
    ...(natsUrl !== undefined && { natsUrl }),
    ...(s3 !== undefined && { s3 }),
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
    trustProxy: read.addresses('TRUST_PROXY'),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS),
    webRoot: read.text('WEB_ROOT'),
    sendBurst: read.integer('SEND_BURST', 1, 100_000),
    sendPerSecond: read.integer('SEND_PER_SECOND', 1, 100_000),
    lookupsPerMinute: read.integer('LOOKUPS_PER_MINUTE', 1, 1_000_000),
    codesPerHour: read.integer('CODES_PER_HOUR', 1, 1_000_000),
    socketsPerVisitor: read.integer('SOCKETS_PER_VISITOR', 1, 1_000),
    // Nothing else notices a presence lease that ran out: its 45 s and this stay below the promised 60.
    sweepSeconds: read.integer('SWEEP_SECONDS', 1, 10),
    mediaRoot: read.text('MEDIA_ROOT'),
    ...(read.text('BACKUP_DIR') !== '' && { backupDir: read.text('BACKUP_DIR') }),
    appendLanes: read.integer('APPEND_LANES', 1, 100),
  };
  if (problems.length > 0) throw new BadConfig(problems);
  return config;
}

/** The text of .env.example. */
export function exampleEnvironment(): string {
  const blocks = Object.entries<Key>(keys).map(([name, key]) => {
    const file = key.secret === true ? ` (or ${name}_FILE: a file that holds it)` : '';
    const line = `${name}=${key.fallback ?? ''}`;
    return `# ${key.help}${file}\n${key.required === true ? line : `# ${line}`}\n`;
  });
  return `# What Settee reads from its environment. Lines that start with a key must be filled in; the others show the default.\n\n${blocks.join('\n')}`;
}

/** Values by key, defaults filled in; an empty value counts as none. */
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

function readS3(read: ConfigReader<KeyName>): S3Config | undefined {
  const names = [
    'S3_ENDPOINT',
    'S3_REGION',
    'S3_BUCKET',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
  ] as const;
  const missing = names.filter((name) => read.text(name) === '');
  if (missing.length === names.length) return undefined;
  if (missing.length > 0)
    read.problem(`S3 needs all five of its keys or none; missing: ${missing.join(', ')}`);
  const endpoint = read.url('S3_ENDPOINT', ['http:', 'https:']) ?? '';
  return {
    endpoint,
    publicEndpoint: read.url('S3_PUBLIC_ENDPOINT', ['http:', 'https:']) ?? endpoint,
    region: read.text('S3_REGION'),
    bucket: read.text('S3_BUCKET'),
    accessKeyId: read.text('S3_ACCESS_KEY_ID'),
    secretAccessKey: read.text('S3_SECRET_ACCESS_KEY'),
  };
}

/** 32 bytes in base64url. */
const VAPID_KEY = /^[A-Za-z0-9_-]{43}$/;

function readVapid(read: ConfigReader<KeyName>): Config['vapid'] {
  const privateKey = read.text('VAPID_PRIVATE_KEY');
  if (privateKey === '') return undefined;
  if (!VAPID_KEY.test(privateKey) || vapidPublicKey(privateKey) === undefined)
    read.problem('VAPID_PRIVATE_KEY must be a key as settee push key prints it');
  const subject = read.text('VAPID_SUBJECT');
  if (subject === '') read.problem('VAPID_SUBJECT is missing; VAPID_PRIVATE_KEY needs it');
  else if (!/^mailto:[^\s@:/]+@[^\s@]+$/.test(subject) && URL.parse(subject)?.protocol !== 'https:')
    read.problem('VAPID_SUBJECT must be mailto: with an address behind it, or an https address');
  return { privateKey, subject };
}
