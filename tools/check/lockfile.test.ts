import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

type Entry = { version?: string; resolved?: string; optionalDependencies?: Record<string, string> };

const lockfile = readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8');
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
