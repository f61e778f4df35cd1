import { expect, test } from 'vitest';
import { hashPassword, passwordMatches } from '../src/auth/passwords.ts';

test('passwords are kept as argon2id at 19 MiB and two passes', async () => {
  const stored = await hashPassword('correct horse battery');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwordMatches(stored, 'correct horse battery')).toBe(true);
  expect(await passwordMatches(stored, 'correct horse')).toBe(false);
  expect(await passwordMatches(undefined, 'correct horse battery')).toBe(false);
  expect(await passwordMatches('not a hash', 'correct horse battery')).toBe(false);
});

test('[OPEN-13] verifying against nobody takes as long as against somebody', async () => {
  const stored = await hashPassword('correct horse battery');
  const known = await timed(() => passwordMatches(stored, 'wrong'));
  const unknown = await timed(() => passwordMatches(undefined, 'wrong'));
  // Without the work, the second would be a thousand times quicker.
  expect(unknown).toBeGreaterThan(known / 3);
});

async function timed(run: () => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (let turn = 0; turn < 9; turn++) {
    const start = performance.now();
    await run();
    took.push(performance.now() - start);
  }
  return took.sort((a, b) => a - b)[4] ?? 0;
}
