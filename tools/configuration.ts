// npm run generate: writes .env.example and docs/configuration.md, from the table that the server reads its settings with.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BadConfig, exampleEnvironment, type Key, keys, readConfig } from '../server/testing/rules.ts';

type Name = keyof typeof keys;
type Section = { title: string; about: string; names: Name[] };

const sections: Section[] = [
  {
    title: 'Required',
    about: 'Settee does not start without these two.',
    names: ['DATABASE_URL', 'SECRET'],
  },
  {
    title: 'Addresses and ports',
    about:
      'Behind a proxy, set `PUBLIC_URL` and `TRUST_PROXY` first. [Doctor](operate.md#doctor) checks both.',
    names: [
      'PUBLIC_URL',
      'HOST',
      'PORT',
      'GATEWAYS',
      'TRUST_PROXY',
      'HSTS_SUBDOMAINS',
      'PRIVATE_PORT',
      'PRIVATE_HOST',
      'STOP_DELAY_SECONDS',
      'WEB_ROOT',
    ],
  },
  {
    title: 'PostgreSQL and NATS',
    about: 'One gateway needs no NATS. [Scale](scale.md) explains when to add a second one.',
    names: [
      'DATABASE_OWNER_URL',
      'DATABASE_CONNECTIONS',
      'ALLOW_UNSAFE_DATABASE',
      'APPEND_LANES',
      'NATS_URL',
      'REQUIRE_TLS',
      'SWEEP_SECONDS',
      'CELL',
    ],
  },
  {
    title: 'Images',
    about: 'Images are stored in S3 or in a folder ([install](install.md#where-images-are-stored)).',
    names: [
      'S3_ENDPOINT',
      'S3_REGION',
      'S3_BUCKET',
      'S3_ACCESS_KEY_ID',
      'S3_SECRET_ACCESS_KEY',
      'S3_PUBLIC_ENDPOINT',
      'MEDIA_ROOT',
    ],
  },
  {
    title: 'Staff accounts',
    about: '[Operate](operate.md#staff-accounts) explains sessions, the second factor and single sign-on.',
    names: [
      'SECOND_FACTOR',
      'SESSION_DAYS',
      'SESSION_IDLE_HOURS',
      'ADMIN_SESSION_DAYS',
      'ADMIN_SESSION_IDLE_HOURS',
      'OIDC_ISSUER',
      'OIDC_CLIENT_ID',
      'OIDC_CLIENT_SECRET',
      'OIDC_NAME',
      'OIDC_ROLE_CLAIM',
      'SECRET_PREVIOUS',
    ],
  },
  {
    title: 'Notifications',
    about: 'Without a key, notices appear only while a page is open.',
    names: ['VAPID_PRIVATE_KEY', 'VAPID_SUBJECT', 'PUSH_HOSTS'],
  },
  {
    title: 'Webhooks',
    about:
      'Administrators add webhooks on the page Integrations: see [API keys and webhooks](integrations.md).',
    names: ['WEBHOOK_HOSTS'],
  },
  {
    title: 'E-mail',
    about:
      'Without a mail server, Settee sends no mail and shows nothing about it ([install](install.md#e-mail)).',
    names: ['SMTP_URL', 'MAIL_FROM', 'SMTP_TLS'],
  },
  {
    title: 'Jobs and backups',
    about: '[Backup](backup.md) explains what to back up, and how to restore it.',
    names: ['RUN_JOBS', 'BACKUP_DIR', 'BACKUP_AT', 'BACKUP_KEEP_DAYS', 'BACKUP_HOOK'],
  },
  {
    title: 'Logs and traces',
    about: '[Operate](operate.md#logs) explains what the logs contain.',
    names: ['LOG_LEVEL', 'SECURITY_LOG', 'SECURITY_LOG_ADDRESSES', 'TRACES_URL', 'TRACES_SHARE'],
  },
  {
    title: 'Limits',
    about: '[Security](security.md) lists all limits. These are the ones that you can change.',
    names: [
      'SEND_BURST',
      'SEND_PER_SECOND',
      'LOOKUPS_PER_MINUTE',
      'CODES_PER_HOUR',
      'SOCKETS_PER_VISITOR',
      'LIMIT_FACTOR',
    ],
  },
];

const INTRODUCTION = `# Configuration

Settings are environment variables. Gateways, workers and the command line read the same ones. Set them in \`ops/secrets\` and \`ops/.env\` with Compose, in \`/etc/settee/settee.env\` with systemd, and in the values of the chart with Helm ([install](install.md)).

- An empty value counts as missing.
- A setting marked **secret** can come from a file instead: set the same name with \`_FILE\` at its end to the path of the file.
- Settee refuses to start with an invalid value, and lists all mistakes at once. \`settee doctor --offline\` does the same without starting anything.
- After a change, restart the gateways and workers; with Compose, run \`docker compose -f ops/compose.yaml up --detach\`. In \`ops/.env\`, put a value with \`$\`, \`#\` or spaces in single quotes.
- A misspelled name has no effect. A gateway logs \`unknown setting\`, and \`settee doctor\` names the right one.

\`npm run generate\` writes this page from \`server/src/platform/config/config.ts\`. Do not edit it.
`;

function configurationPage(): string {
  const listed = sections.flatMap(({ names }) => names);
  const missing = Object.keys(keys).filter((name) => !listed.includes(name as Name));
  if (missing.length > 0) throw new Error(`Add ${missing.join(', ')} to a section of tools/configuration.ts`);
  const parts = sections.map(({ title, about, names }) =>
    [`## ${title}\n\n${about}\n`, ...names.map(describe)].join('\n'),
  );
  return [INTRODUCTION, ...parts].join('\n');
}

function describe(name: Name): string {
  const { help, fallback, required, secret }: Key = keys[name];
  const facts = [
    ...(required === true ? ['Required.'] : []),
    ...(fallback === undefined ? [] : [`Default: \`${fallback}\`.`]),
    ...allowed(name),
    ...(secret === true ? [`**Secret**, or \`${name}_FILE\`.`] : []),
  ];
  return `### ${name}\n\n${formatted(help)}\n${facts.length === 0 ? '' : `\n${facts.join(' ')}\n`}`;
}

/** What the server says about a value that it refuses. */
function allowed(name: Name): string[] {
  const rest = { DATABASE_URL: 'postgres://settee@localhost/settee', SECRET: 's'.repeat(32) };
  try {
    readConfig({ ...rest, [name]: '\u0001' });
  } catch (error) {
    if (!(error instanceof BadConfig)) throw error;
    const rule = error.problems.find((problem) => problem.startsWith(`${name} must `));
    return rule === undefined ? [] : [`It ${formatted(rule.slice(name.length + 1))}.`];
  }
  return [];
}

/** An explanation is plain text for .env.example. Here, settings and pages are links, and values are code. */
function formatted(help: string): string {
  return help
    .split(/(`[^`]+`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll(WORDS, formatWord)))
    .join('');
}

const WORDS =
  /docs\/[\w-]+\.md|openssl rand -base64 \d+|\?sslmode=[\w-]+|\b[a-z]+:\/\/[^\s,;)]*[\w)]|\b(?:true|false)\b|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|\bSECRET\b|\/(?:healthz|readyz|metrics)\b/g;

function formatWord(word: string): string {
  if (word.startsWith('docs/')) return `[${word.slice(5, -3)}](${word.slice(5)})`;
  return word in keys ? `[\`${word}\`](#${word.toLowerCase()})` : `\`${word}\``;
}

const root = join(import.meta.dirname, '..');

/** The generated files that are committed, with their content. */
export function generated(): [path: string, content: string][] {
  return [
    [join(root, '.env.example'), exampleEnvironment()],
    [join(root, 'docs/configuration.md'), configurationPage()],
  ];
}

if (import.meta.main) for (const [path, content] of generated()) writeFileSync(path, content);
