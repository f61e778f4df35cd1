import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type Patch, patched } from './patch.ts';
import { scenario as faults } from './scenarios/faults.ts';
import { scenario as rolling } from './scenarios/rolling.ts';
import { scenario as tests } from './scenarios/tests.ts';
import { nextPatches } from './topology/nextRelease.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const builds: { name: string; patches: readonly Patch[] }[] = [
  ...Object.entries({ ...faults.sabotages, ...rolling.sabotages, ...tests.sabotages }),
  ['next release', { patches: nextPatches }] as const,
].map(([name, { patches = [] }]) => ({ name, patches }));

// The proofs would find this only after minutes.
test.each(builds.filter(({ patches }) => patches.length > 0))(
  'the patches of $name apply to the current code',
  ({ patches }) => {
    for (const patch of patches) {
      const source = readFileSync(resolve(ROOT, patch.file), 'utf8');
      expect(patched(source, patch)).not.toBe(source);
    }
  },
);

const SOURCE = `// Ünïcödé 😀
class Room {
  #fill() { call(1); }
  receive() { if (isNext) this.deliver('😀', 2); else this.#fill(); call('x',
    // A comment.
    'y'); }
}`;

test.each<[string, Omit<Patch, 'file'>, string]>([
  ['the parts that it leaves open', { find: 'call($A, $B)', put: 'call($B, $A)' }, "call('y', 'x')"],
  ['any number of parts', { find: 'this.deliver($$$ALL)', put: 'send($$$ALL, 3)' }, "send('😀', 2, 3)"],
  ['code in one method', { find: 'call($$$)', within: '#fill', put: 'await $FOUND' }, 'await call(1)'],
  [
    'a method',
    { find: 'class Any { #fill() { $BODY; } }', kind: 'method_definition', put: '#fill() { again($BODY); }' },
    '#fill() { again(call(1)); }',
  ],
])('a patch replaces %s', (_, patch, expected) => {
  expect(patched(SOURCE, { file: 'room.ts', ...patch })).toContain(expected);
});

test('a patch that matches never or twice is refused', () => {
  const apply = (find: string) => () => patched(SOURCE, { file: 'room.ts', find, put: '' });
  expect(apply('nobody.wouldWrite(this)')).toThrow('room.ts matches "nobody.wouldWrite(this)" 0 times');
  expect(apply('call($$$)')).toThrow('2 times');
});
