import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Licences that allow redistribution without conditions for the product. */
const WELCOME = /^(?:MIT|Apache-2\.0|ISC|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|Unlicense|Python-2\.0)$/;

/** libvips, which sharp loads as a separate, replaceable library. */
const LOADED = /^@img\/sharp-.*: (?:Apache-2\.0 AND )?LGPL-3\.0-or-later(?: AND MIT)?$/;

type Bill = {
  components: { name: string; licenses?: { license?: { id?: string }; expression?: string }[] }[];
};

test('[OPS-59] the bill of materials lists every runtime dependency, under licences that allow redistribution', () => {
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

test('[OPS-60] no release is used in its first week, for people and bots', () => {
  const days = /^min-release-age=(\d+)$/m.exec(read('.npmrc'))?.[1];
  const robot = JSON.parse(read('.github/renovate.json')) as { minimumReleaseAge: string };
  expect(days).toBe('7');
  expect(robot.minimumReleaseAge).toBe(`${days} days`);
  expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
});

type Workflow = {
  permissions: Record<string, string>;
  jobs: Record<string, { 'timeout-minutes': number; steps: { run?: string; uses?: string }[] }>;
};

test('[OPS-61] GitHub runs the same script as every other machine, with read-only rights', () => {
  const { permissions, jobs } = parse(read('.github/workflows/check.yml')) as Workflow;
  expect(permissions).toEqual({ contents: 'read' });
  const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  expect(runs).toEqual(['bash .ci/run']);
});
