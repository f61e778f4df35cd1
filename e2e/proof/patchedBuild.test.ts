import { resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { sabotages as faultSabotages } from '../faults/sabotage.ts';
import { nextMigrations, nextPatches } from '../rolling/nextRelease.ts';
import { sabotages as rollingSabotages } from '../rolling/sabotage.ts';
import { buildPatched, type Patch } from './patchedBuild.ts';

const ROOT = resolve(import.meta.dirname, '../..');
// Each build copies the server, which takes seconds on a busy disk.
vi.setConfig({ testTimeout: 60_000 });

const builds: { name: string; patches: readonly Patch[] }[] = [
  ...Object.entries({ ...faultSabotages, ...rollingSabotages }),
  ['next release', { patches: nextPatches }] as const,
].map(([name, { patches }]) => ({ name, patches }));

// The suites would find this only after minutes.
test.each(builds)('the patches of $name apply to the current code', ({ patches }) => {
  buildPatched(ROOT, patches, nextMigrations).remove();
});

test('a patch whose text occurs never or twice is refused', () => {
  const file = 'server/src/db/message/appender.ts';
  const patched = (find: string) => () => buildPatched(ROOT, [{ file, find, put: '' }]);
  expect(patched('nobody would write this')).toThrow('0 times');
  expect(patched('import')).toThrow(/ [2-9]\d* times/);
});
