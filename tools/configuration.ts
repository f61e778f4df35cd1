// npm run generate: writes .env.example and docs/configuration.md, from the table that the server reads its settings with.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BadConfig, exampleEnvironment, type Key, keys, readConfig } from '../server/testing/rules.ts';

type Name = keyof typeof keys;
/** A section begins at a setting and ends before that of the next section. */
type Section = { title: string; about: string; from: Name };

const sections: Section[] = [
  {
    title: 'Required',
    about: 'Settee does not start without these two.',
    from: 'DATABASE_URL',
  },
  {
    title: 'Addresses and ports',
    about:
      'Behind a proxy, set `PUBLIC_URL` and `TRUST_PROXY` first. [Doctor](operate.md#doctor) checks both.',
    from: 'PUBLIC_URL',
  },
  {
    title: 'PostgreSQL and NATS',
    about: 'One gateway needs no NATS. [Scale](scale.md) explains when to add a second one.',
    from: 'DATABASE_OWNER_URL',
  },
  {
    title: 'Images',
    about: 'Images are stored in S3 or in a folder ([install](install.md#where-images-are-stored)).',
    from: 'S3_ENDPOINT',
  },
  {
    title: 'Staff accounts',
    about: '[Operate](operate.md#staff-accounts) explains sessions, the second factor and single sign-on.',
    from: 'SECOND_FACTOR',
  },
  {
    title: 'Notifications',
    about: 'Without a key, notices appear only while a page is open.',
    from: 'VAPID_PRIVATE_KEY',
  },
  {
    title: 'Webhooks',
    about:
      'Administrators add webhooks on the page Integrations: see [API keys and webhooks](integrations.md).',
    from: 'WEBHOOK_HOSTS',
  },
  {
    title: 'E-mail',
    about:
      'Without a mail server, Settee sends no mail and shows nothing about it ([install](install.md#e-mail)).',
    from: 'SMTP_URL',
  },
  {
    title: 'Jobs and backups',
    about: '[Backup](backup.md) explains what to back up, and how to restore it.',
    from: 'RUN_JOBS',
  },
  {
    title: 'Logs and traces',
    about: '[Operate](operate.md#logs) explains what the logs contain.',
    from: 'LOG_LEVEL',
  },
  {
    title: 'Limits',
    about: '[Security](security.md) lists all limits. These are the ones that you can change.',
    from: 'SEND_BURST',
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
  const titles = new Map(sections.map((section) => [section.from, section]));
  const parts = (Object.keys(keys) as Name[]).map((name) => {
    const section = titles.get(name);
    return `${section === undefined ? '' : `## ${section.title}\n\n${section.about}\n\n`}${describe(name)}`;
  });
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
