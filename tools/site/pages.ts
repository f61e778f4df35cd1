// Which Markdown files are pages of the site, at which address, and in which order the sidebar lists them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

type Entry = { text: string; file: string };
export type Group = { text: string; entries: Entry[]; collapsed?: boolean };

const entry = (text: string, file: string): Entry => ({ text, file });

export const groups: Group[] = [
  {
    text: 'Start',
    entries: [
      entry('What Settee is', 'README.md'),
      entry('Install', 'docs/install.md'),
      entry('Hardware and scale', 'docs/scale.md'),
      entry('Questions', 'docs/faq.md'),
      entry('Comparison', 'docs/comparison.md'),
      entry('Roadmap', 'docs/roadmap.md'),
    ],
  },
  {
    text: 'Run it',
    entries: [
      entry('Install with Compose', 'docs/install-compose.md'),
      entry('Install on machines', 'docs/install-machines.md'),
      entry('Install in Kubernetes', 'docs/install-kubernetes.md'),
      entry('Operate', 'docs/operate.md'),
      entry('Backup', 'docs/backup.md'),
      entry('Upgrade', 'docs/upgrade.md'),
      entry('Troubleshooting and alerts', 'docs/troubleshooting.md'),
      entry('High availability', 'docs/high-availability.md'),
      entry('Point-in-time recovery', 'docs/point-in-time-recovery.md'),
      entry('Changes', 'CHANGELOG.md'),
    ],
  },
  {
    text: 'Trust it',
    entries: [
      entry('Security', 'docs/security.md'),
      entry('Report a vulnerability', 'SECURITY.md'),
      entry('Privacy', 'docs/privacy.md'),
      entry('Accessibility', 'docs/accessibility.md'),
      entry('Browsers', 'docs/browsers.md'),
    ],
  },
  {
    text: 'Integrate it',
    entries: [
      entry('Links and embedding', 'docs/embedding.md'),
      entry('API keys and webhooks', 'docs/integrations.md'),
      entry('Integrate a shop', 'docs/examples/integrate.md'),
    ],
  },
  {
    text: 'Change it',
    entries: [
      entry('Contributing', 'CONTRIBUTING.md'),
      entry('Translating', 'docs/translating.md'),
      entry('Tour of the code', 'docs/tour.md'),
      entry('Architecture', 'docs/architecture.md'),
      entry('Migrations', 'docs/migrations.md'),
      entry('Add a field', 'docs/examples/add-a-field.md'),
      entry('Add a field of a conversation', 'docs/examples/add-a-conversation-field.md'),
      entry('Add a frame', 'docs/examples/add-a-frame.md'),
      entry('Add a screen', 'docs/examples/add-a-screen.md'),
      entry('Measurements', 'bench/README.md'),
      entry('Code of conduct', 'CODE_OF_CONDUCT.md'),
    ],
  },
  {
    text: 'Reference',
    entries: [
      entry('Configuration', 'docs/configuration.md'),
      entry('HTTP API', 'docs/api.md'),
      entry('WebSocket protocol', 'docs/protocol.md'),
      entry('Glossary', 'docs/glossary.md'),
      entry('Security events', 'docs/security-events.md'),
      entry('Every guarantee', 'docs/behaviour.md'),
      entry('Proof', 'docs/proof.md'),
      entry('OWASP ASVS', 'docs/asvs.md'),
    ],
  },
  { text: 'Decisions', collapsed: true, entries: decisions() },
];

function decisions(): Entry[] {
  const files = readdirSync(join(root, 'docs/decisions')).filter((file) => /^\d.*\.md$/.test(file));
  const numbered = files.toSorted().map((file) => {
    const [title = ''] = readFileSync(join(root, 'docs/decisions', file), 'utf8').split('\n');
    return entry(title.replace(/^# /, ''), `docs/decisions/${file}`);
  });
  return [entry('All decisions', 'docs/decisions/README.md'), ...numbered];
}

const HOME = 'tools/site/home.md';

/** A Markdown file and its path in the site. docs/security.md and SECURITY.md need different names. */
export function sitePath(file: string): string {
  if (file === HOME) return 'index.md';
  if (file === 'README.md') return 'about.md';
  if (file === 'SECURITY.md') return 'reporting.md';
  if (file === 'bench/README.md') return 'measurements.md';
  return file
    .replace(/^docs\//, '')
    .replace(/README\.md$/, 'index.md')
    .replaceAll('_', '-')
    .toLowerCase();
}

export const pages: ReadonlyMap<string, string> = new Map(
  [HOME, ...groups.flatMap(({ entries }) => entries.map(({ file }) => file))].map((file) => [
    file,
    sitePath(file),
  ]),
);
