import { expect, test } from 'vitest';
import { hashPassword, passwordMatches } from '../src/auth/passwords.ts';

test('[AUTH-13] passwords are stored as argon2id with 19 MiB and two passes', async () => {
  const stored = await hashPassword('correct horse battery');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwordMatches(stored, 'correct horse battery')).toBe(true);
  expect(await passwordMatches(stored, 'correct horse')).toBe(false);
  expect(await passwordMatches(undefined, 'correct horse battery')).toBe(false);
  expect(await passwordMatches('not a hash', 'correct horse battery')).toBe(false);
});

test('[AUTH-01] verifying an unknown account takes as long as a known one', async () => {
  const stored = await hashPassword('correct horse battery');
  const [known, unknown]: [number[], number[]] = [[], []];
  // Alternating, so that a busy machine affects both.
  for (let turn = 0; turn < 9; turn++) {
    known.push(await timed(() => passwordMatches(stored, 'wrong')));
    unknown.push(await timed(() => passwordMatches(undefined, 'wrong')));
  }
  // Without the hashing, the second would be a thousand times faster.
  expect(median(unknown)).toBeGreaterThan(median(known) / 20);
});

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
