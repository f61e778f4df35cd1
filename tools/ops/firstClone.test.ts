// The first lines that an operator types, run with real git on a repository that has no release yet, and on one that has.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const page = readFileSync(join(import.meta.dirname, '../../docs/install.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'settee-clone-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Nothing of whoever runs this: no hooks, no settings, and a name of its own. */
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

/** The lines that bring the source, of one part of the guide, with their folder here. */
function bringing(part: string, to: string): string {
  const section = page.split(`\n## ${part}\n`)[1]?.split('\n## ')[0] ?? '';
  const block = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].find(([, lines]) =>
    lines?.includes('git clone'),
  );
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

test.each(['Compose', 'systemd'])(
  '%s: the first lines get the newest release, or the newest source while there is none',
  (part) => {
    const cases: [name: string, releases: string[], expected: string][] = [
      ['none', [], 'newest'],
      ['some', ['v0.9.0', 'v0.10.0', 'v0.2.0'], 'v0.10.0'],
    ];
    for (const [name, releases, expected] of cases) {
      const to = `${part}-${name}`;
      const lines = bringing(part, to);
      shell(lines, folder, { REPOSITORY_URL: repository(`${to}-origin`, releases) });
      const at = shell(
        'git describe --tags --exact-match 2>/dev/null || git log -1 --format=%s',
        join(folder, to),
      );
      expect(at.trim(), lines).toBe(expected);
    }
  },
);
