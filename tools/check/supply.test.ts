import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Allowed, findProblems } from '../../bin/advisories.ts';
import { steps } from './steps.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Licences that allow redistribution without conditions for the product. */
const WELCOME = /^(?:MIT(?:-0)?|Apache-2\.0|ISC|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|Unlicense|Python-2\.0)$/;

/** libvips, which sharp loads as a separate, replaceable library. */
const LOADED = /^@img\/sharp-.*: (?:Apache-2\.0 AND )?LGPL-3\.0-or-later(?: AND MIT)?$/;

type Bill = {
  components: { name: string; licenses?: { license?: { id?: string }; expression?: string }[] }[];
};

test('the bill of materials lists every runtime dependency, under licences that allow redistribution', () => {
  const bill = JSON.parse(
    execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8' }),
  ) as Bill;
  const { dependencies } = JSON.parse(read('server/package.json')) as {
    dependencies: Record<string, string>;
  };
  const named = new Set(bill.components.map(({ name }) => name));
  const ours = (name: string) => name.startsWith('@settee/');
  expect(Object.keys(dependencies).filter((name) => !ours(name) && !named.has(name))).toEqual([]);
  const licences = bill.components
    .filter(({ name }) => !ours(name))
    .map(
      ({ name, licenses }) => `${name}: ${licenses?.[0]?.license?.id ?? licenses?.[0]?.expression ?? 'none'}`,
    );
  expect(licences.filter((line) => !WELCOME.test(line.replace(/^.*: /, '')) && !LOADED.test(line))).toEqual(
    [],
  );
});

test('no release is used in its first week, for people and bots', () => {
  const days = /^min-release-age=(\d+)$/m.exec(read('.npmrc'))?.[1];
  const robot = JSON.parse(read('.github/renovate.json')) as { minimumReleaseAge: string };
  expect(days).toBe('7');
  expect(robot.minimumReleaseAge).toBe(`${days} days`);
  expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
});

type Workflow = {
  permissions: Record<string, string>;
  jobs: Record<
    string,
    {
      permissions?: Record<string, string>;
      'timeout-minutes': number;
      steps: { run?: string; uses?: string }[];
    }
  >;
};

test('GitHub runs the same script as every other machine, with read-only rights', () => {
  const { permissions, jobs } = parse(read('.github/workflows/check.yml')) as Workflow;
  expect(permissions).toEqual({ contents: 'read' });
  const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  expect(runs).toEqual([expect.stringMatching(/^bash \.ci\/run --shard \S/)]);
});

test('every action of a workflow is pinned by its commit', () => {
  const workflows = readdirSync(join(root, '.github/workflows'));
  expect(workflows).toHaveLength(4);
  for (const file of workflows) {
    const uses = [...read(`.github/workflows/${file}`).matchAll(/uses: (\S+)(.*)/g)];
    for (const [line, action = '', comment = ''] of uses) {
      if (action.startsWith('./')) continue;
      expect(`${action}${comment}`, line).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  }
});

test('the site is published as the check builds it, and only that job can write to Pages', () => {
  const { permissions, jobs } = parse(read('.github/workflows/site.yml')) as Workflow;
  expect(permissions).toEqual({ contents: 'read' });
  expect(Object.keys(jobs)).toEqual(['site']);
  expect(jobs.site?.permissions).toEqual({ contents: 'read', pages: 'write', 'id-token': 'write' });
  expect(jobs.site?.steps.flatMap(({ run }) => run ?? [])).toEqual(['npm ci', 'npm run site']);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  expect(steps.find(({ name }) => name === 'site')?.command).toBe(scripts.site);
});

test.each([
  ['site', 'vitepress'],
  ['mail', 'maildev'],
])('the packages of tools/%s are installed apart from the others, under the same rules', (folder, name) => {
  expect(lockfile).not.toContain(`"node_modules/${name}"`);
  expect(read(`tools/${folder}/package-lock.json`)).toContain(`"node_modules/${name}"`);
  expect(read(`tools/${folder}/package-lock.json`)).not.toContain('"resolved": "http');
  expect(read(`tools/${folder}/.npmrc`)).toBe(read('.npmrc'));
});

test('the release signs the image by its digest', () => {
  const { jobs } = parse(read('.github/workflows/release.yml')) as Workflow;
  const runs = jobs.image?.steps.flatMap(({ run }) => run ?? []).join('\n');
  expect(runs).toContain('cosign sign --yes "$IMAGE"');
  expect(read('.github/workflows/release.yml')).toMatch(/@\$\{\{ steps\.image\.outputs\.digest \}\}/);
});

test('a known vulnerability fails the check, unless it is allowed and the date has not passed', () => {
  const cause = (id: string, severity = 'high') => ({
    url: `https://github.com/advisories/${id}`,
    title: 'Prototype pollution',
    severity,
  });
  const report = {
    vulnerabilities: {
      one: { severity: 'high', via: [cause('GHSA-1'), cause('GHSA-low', 'low')] },
      two: { severity: 'high', via: ['one', cause('GHSA-2')] },
    },
  };
  const allowed = (until: string): Allowed[] => [{ advisory: 'GHSA-1', reason: 'not reachable', until }];
  const found = (until: string) => findProblems(report, allowed(until), '2026-11-16');
  expect(found('2026-11-16')).toEqual([expect.stringContaining('GHSA-2')]);
  expect(found('2026-11-15')).toEqual([
    expect.stringContaining('GHSA-1 (was allowed until 2026-11-15)'),
    expect.stringContaining('GHSA-2'),
  ]);
});

test('every allowed vulnerability has a reason and a date within three months', () => {
  const limit = new Date(Date.now() + 92 * 86_400_000).toISOString().slice(0, 10);
  const allowed = JSON.parse(read('tools/check/advisories.json')) as Allowed[];
  expect(allowed.filter(({ reason, until }) => reason.length <= 20 || until > limit)).toEqual([]);
});

type Entry = { version?: string; resolved?: string; optionalDependencies?: Record<string, string> };

const lockfile = read('package-lock.json');
const { packages } = JSON.parse(lockfile) as { packages: Record<string, Entry> };

/** The platform in a package name, for platforms that people develop on. */
const PLATFORM = /(?:linux|darwin|win32)-(?:x64|arm64)(?:-gnu|-msvc)?$/;

test('the lockfile records no download address, so that it works with every registry', () => {
  expect(lockfile.match(/"resolved": "http/g) ?? []).toEqual([]);
});

test.each([
  '@biomejs/biome',
  'oxlint',
  'oxlint-tsgolint',
  'rolldown',
  '@swc/core',
  'oxc-parser',
  'lightningcss',
])('%s can be installed on every platform from this lockfile', (tool) => {
  const wanted = Object.keys(packages[`node_modules/${tool}`]?.optionalDependencies ?? {});
  const platforms = wanted.filter((name) => PLATFORM.test(name));
  expect(platforms.length).toBeGreaterThanOrEqual(6);
  // npm silently omits binaries that the registry does not have yet. Then pin an older version of the tool.
  expect(platforms.filter((name) => packages[`node_modules/${name}`] === undefined)).toEqual([]);
});
