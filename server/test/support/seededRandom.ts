import type { Random } from '../../src/platform/ports/ports.ts';

const WORD = 2 ** 32;

/** The same seed gives the same bytes, ids and numbers, so that a run can be repeated. Not for secrets. */
export function seededRandom(seed: number): Random {
  const word = mulberry32(seed);
  const bytes = (length: number): Uint8Array => {
    const words = Uint32Array.from({ length: Math.ceil(length / 4) }, word);
    return new Uint8Array(words.buffer).slice(0, length);
  };
  return {
    bytes,
    uuid() {
      const raw = bytes(16);
      raw[6] = ((raw[6] ?? 0) & 0x0f) | 0x40;
      raw[8] = ((raw[8] ?? 0) & 0x3f) | 0x80;
      return Buffer.from(raw)
        .toString('hex')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
    below(limit) {
      if (!Number.isInteger(limit) || limit < 1 || limit > WORD)
        throw new RangeError(`no number is below ${limit}`);
      // Values above the largest multiple of `limit` are drawn again, or low numbers would be more frequent.
      const even = WORD - (WORD % limit);
      for (;;) {
        const drawn = word();
        if (drawn < even) return drawn % limit;
      }
    },
  };
}

/** Tommy Ettinger's generator: 32 bits of state, good enough to shuffle tests with. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
