import { describe, expect, test } from 'vitest';
import { systemRandom } from '../../src/adapters/system.ts';
import type { Random } from '../../src/ports.ts';
import { seededRandom } from '../seededRandom.ts';
import { randomContract } from './random.contract.ts';

const sample = (random: Random) => [
  random.bytes(24),
  random.uuid(),
  random.below(1_000_000),
  random.bytes(5),
];

describe('system randomness', () => {
  randomContract(() => systemRandom);

  test('is not repeatable', () => {
    expect(sample(systemRandom)).not.toEqual(sample(systemRandom));
  });
});

describe('seeded randomness', () => {
  randomContract(() => seededRandom(7));

  test('depends only on the seed', () => {
    expect(sample(seededRandom(42))).toEqual(sample(seededRandom(42)));
    expect(sample(seededRandom(42))).not.toEqual(sample(seededRandom(43)));
  });
});
