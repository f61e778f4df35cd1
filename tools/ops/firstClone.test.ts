// Runs the git commands of the installation guide on repositories with and without a release.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'settee-clone-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Without the git settings and hooks of the user who runs the tests. */
const environment = {
  PATH: process.env.PATH,
  HOME: folder,
  GIT_CONFIG_NOSYSTEM: '1',
  ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@settee.example' },
  ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@settee.example' },
};
const shell = (lines: string, cwd = folder, more: Record<string, string> = {}): string =>
  execFileSync('sh', ['-euc', lines], {
    cwd,
    env: { ...environment, ...more },
    encoding: 'utf8',
    stdio: 'pipe',
  });

/** The git commands of a guide. They clone into the folder `to`. */
function cloneCommands(part: string, to: string): string {
  const page = read(`docs/install-${part}.md`);
  const block = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].find(([, lines]) => lines?.includes('git clone'));
  const lines = (block?.[1] ?? '').split('\n').filter((line) => line.startsWith('git '));
  return lines.join('\n').replaceAll(/(?:\/opt\/)?settee(?:-\d\S*)?(?= &&|$)/gm, to);
}

function repository(name: string, releases: string[]): string {
  shell(`git init --quiet ${name}`);
  const at = join(folder, name);
  for (const release of releases) shell(`git commit --quiet --allow-empty -m x && git tag ${release}`, at);
  shell('git commit --quiet --allow-empty -m newest', at);
  return at;
}

test.each(['compose', 'machines'])(
  '%s: the guide clones the newest release, or the newest commit if there is no release',
  (part) => {
    const cases: [name: string, releases: string[], expected: string][] = [
      ['none', [], 'newest'],
      ['some', ['v0.9.0', 'v0.10.0', 'v0.2.0'], 'v0.10.0'],
    ];
    for (const [name, releases, expected] of cases) {
      const to = `${part}-${name}`;
      const lines = cloneCommands(part, to);
      shell(lines, folder, { REPOSITORY_URL: repository(`${to}-origin`, releases) });
      const at = shell(
        'git describe --tags --exact-match 2>/dev/null || git log -1 --format=%s',
        join(folder, to),
      );
      expect(at.trim(), lines).toBe(expected);
    }
  },
);

test('helm waits at least as long as the chart lets a migration run', () => {
  const { migrate } = parse(read('ops/chart/values.yaml')) as { migrate: { activeDeadlineSeconds: number } };
  const places = ['docs/upgrade.md', 'ops/chart/templates/NOTES.txt'];
  for (const place of places) {
    const waits = Array.from(read(place).matchAll(/helm upgrade --timeout (\d+)h/g), ([, hours]) =>
      Number(hours),
    );
    expect(waits.length, place).toBeGreaterThan(0);
    expect(Math.min(...waits) * 3600, place).toBeGreaterThanOrEqual(migrate.activeDeadlineSeconds);
  }
});
