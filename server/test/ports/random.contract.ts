import { expect, test } from 'vitest';
import type { Random } from '../../src/ports.ts';

/** The contract of every Random. The bounds are so wide that a fair one fails once in billions of runs. */
export function randomContract(start: () => Random): void {
  test.each([0, 1, 3, 24, 1_000])('returns exactly %i bytes', (length) => {
    expect(start().bytes(length)).toHaveLength(length);
  });

  test('every bit of a byte is set about half the time', () => {
    const drawn = start().bytes(20_000);
    for (let bit = 0; bit < 8; bit++) {
      const set = drawn.filter((byte) => (byte >> bit) & 1).length;
      expect(Math.abs(set - 10_000)).toBeLessThan(600);
    }
    expect(new Set(drawn).size).toBe(256);
  });

  test('returned bytes are neither repeated nor changed later', () => {
    const random = start();
    const first = random.bytes(24);
    const copy = Uint8Array.from(first);
    const others = new Set(
      Array.from({ length: 1_000 }, () => Buffer.from(random.bytes(24)).toString('hex')),
    );
    expect(others.size).toBe(1_000);
    expect(others).not.toContain(Buffer.from(copy).toString('hex'));
    expect(Uint8Array.from(first)).toEqual(copy);
  });

  test('ids are unique UUIDs of version 4', () => {
    const random = start();
    const ids = Array.from({ length: 10_000 }, () => random.uuid());
    for (const id of ids) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each([1, 2, 7, 10, 100])('numbers below %i: all of them, equally likely', (limit) => {
    const random = start();
    const each = 2_000;
    const counts = Array.from({ length: limit }, () => 0);
    for (let draw = 0; draw < each * limit; draw++) {
      const number = random.below(limit);
      counts[number] = (counts[number] ?? 0) + 1;
    }
    // A value out of range, or not whole, would add a key here.
    expect(Object.keys(counts)).toHaveLength(limit);
    for (const count of counts) expect(Math.abs(count - each)).toBeLessThan(7.5 * Math.sqrt(each));
  });

  test('a limit of three quarters of the range is uniform too', () => {
    // If 2^32 is not divisible by the limit, a plain remainder would give the low third twice as often.
    const random = start();
    const limit = 3 * 2 ** 30;
    const draws = 30_000;
    let low = 0;
    for (let draw = 0; draw < draws; draw++) if (random.below(limit) < limit / 3) low++;
    expect(Math.abs(low - draws / 3)).toBeLessThan(700);
  });

  test.each([0, -1, 1.5])('a limit of %d is refused', (limit) => {
    expect(() => start().below(limit)).toThrow(Error);
  });
}
