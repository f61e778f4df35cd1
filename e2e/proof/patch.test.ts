import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { planted } from '../simulation/planted.ts';
import { type Patch, patched } from './patch.ts';
import { scenario as faults } from './scenarios/faults.ts';
import { scenario as powercut } from './scenarios/powercut.ts';
import { scenario as rolling } from './scenarios/rolling.ts';
import { scenario as tests } from './scenarios/tests.ts';
import { nextPatches } from './topology/nextRelease.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const builds: { name: string; patches: readonly Patch[] }[] = [
  ...[faults, powercut, rolling, tests].flatMap(({ sabotages }) => Object.entries({ ...sabotages })),
  ['next release', { patches: nextPatches }] as const,
  ...Object.entries(planted).map(([name, fault]) => [name, { patches: [fault] }] as const),
].map(([name, { patches = [] }]) => ({ name, patches }));

// The proofs and the simulation would find this only after minutes.
test.each(builds.filter(({ patches }) => patches.length > 0))(
  'the patches of $name apply to the current code',
  ({ patches }) => {
    for (const patch of patches) {
      const source = readFileSync(resolve(ROOT, patch.file), 'utf8');
      expect(patched(source, patch)).not.toBe(source);
    }
  },
);

test('a patch that matches never or twice is refused', () => {
  const apply = (find: string) => () => patched('call(1); call(2);', { file: 'room.ts', find, put: '' });
  expect(apply('nobody.wouldWrite(this)')).toThrow('room.ts matches "nobody.wouldWrite(this)" 0 times');
  expect(apply('call($$$)')).toThrow('2 times');
});
