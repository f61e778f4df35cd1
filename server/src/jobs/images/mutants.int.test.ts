import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fullSize, seedOr } from '../../../../tools/fullSize.ts';
import { ManyDrawn } from '../../../test/images/manyDrawn.ts';
import { mutant } from '../../../test/images/mutants.ts';
import { ownChildren } from '../../../test/images/ownChildren.ts';
import { strangeParts } from '../../../test/images/parts.ts';
import { animation, KINDS, pattern, still } from '../../../test/images/samples.ts';
import { seededRandom } from '../../../test/seededRandom.ts';
import { kindOf, typeOf } from './kinds.ts';
import { FRAMES_MAX, MEMORY_MAX_BYTES, OUTPUT_MAX_BYTES, PIXELS_MAX, SIDE_MAX } from './limits.ts';
import { reencode } from './reencode.ts';

const MUTANTS = fullSize(200, 2_000);
const WHOLE_WAY = fullSize(10, 100);
/** MUTANT_SEED=123 repeats a run. */
const SEED = Number(process.env.MUTANT_SEED ?? seedOr(Date.now) % 1_000_000_000);
const TEST_MS = 300_000;
const CANARY = 'C4N4RY';
/** All allowed outcomes for a damaged file. */
const refusals = [
  'not decodable',
  'too many pixels',
  'too many frames',
  'died',
  'out of time',
  'out of memory',
];

let files: Buffer[];
const many = new ManyDrawn();
beforeAll(async () => {
  const tag = { exif: { IFD0: { Make: CANARY } } };
  files = [
    ...(await Promise.all(KINDS.map((kind) => still(kind, 24, 16)))),
    await animation('gif', 4, 16, 12),
    await animation('webp', 4, 16, 12),
    await pattern(24, 16).withMetadata(tag).jpeg({ progressive: true }).toBuffer(),
    await pattern(24, 16).withMetadata(tag).png({ progressive: true, palette: true }).toBuffer(),
    await pattern(24, 16).withMetadata(tag).webp({ lossless: true }).toBuffer(),
  ];
});
beforeEach(({ onTestFailed }) => onTestFailed(() => console.error(`MUTANT_SEED=${SEED}`)));
afterAll(() => many.end());

/** The output must be an image like any other. */
async function isOurs(picture: Uint8Array, type: string): Promise<void> {
  const kind = kindOf(picture);
  if (kind === undefined || typeOf(kind) !== type) expect.fail(`${kind} is no ${type}`);
  expect(strangeParts(picture)).toEqual([]);
  expect(Buffer.from(picture).includes(CANARY)).toBe(false);
  expect(picture.length).toBeLessThanOrEqual(OUTPUT_MAX_BYTES);
  const again = sharp(picture, { failOn: 'warning', animated: true, limitInputPixels: PIXELS_MAX });
  const { width, height, pageHeight = height, pages = 1 } = await again.metadata();
  expect(Math.max(width, pageHeight)).toBeLessThanOrEqual(SIDE_MAX);
  expect(pages).toBeLessThanOrEqual(FRAMES_MAX);
  await again.stats();
}

test(
  `[MEDIA-14] ${MUTANTS} damaged files are refused, or become an image`,
  async () => {
    const random = seededRandom(SEED);
    const outcomes = new Map<string, number>();
    for (let number = 0; number < MUTANTS; number += 1) {
      const file = mutant(files, random);
      const kind = kindOf(file);
      const answer = kind === undefined ? { reason: 'wrong magic' } : await many.draw(file, kind);
      if (typeof answer === 'object' && 'picture' in answer) {
        if (kind === undefined) expect.fail('drawn without a kind');
        await isOurs(answer.picture.bytes, typeOf(kind)).catch((error: unknown) => {
          throw new Error(`mutant ${number} of seed ${SEED}`, { cause: error });
        });
      }
      const outcome = typeof answer === 'string' ? answer : 'picture' in answer ? 'drawn' : answer.reason;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    // Both outcomes must occur, or the mutants are too harmless or too broken to prove anything.
    expect(outcomes.get('drawn')).toBeGreaterThan(MUTANTS / 20);
    expect(outcomes.get('not decodable')).toBeGreaterThan(MUTANTS / 20);
    expect(outcomes.get('nonsense')).toBeUndefined();
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${many.pid}/status`, 'latin1'))?.[1];
    expect(Number(peak) * 1_024).toBeLessThan(MEMORY_MAX_BYTES);
  },
  TEST_MS,
);

test(
  `[MEDIA-14] ${WHOLE_WAY} of them go the whole way, each in its own process`,
  async () => {
    const random = seededRandom(SEED + 1);
    await many.end();
    const before = process.memoryUsage.rss();
    const mutants: Buffer[] = [];
    while (mutants.length < WHOLE_WAY) {
      const file = mutant(files, random);
      if (kindOf(file) !== undefined) mutants.push(file);
    }
    const answers = await Promise.all(
      mutants.map(async (file) => {
        const kind = kindOf(file);
        const type = kind === undefined ? '' : typeOf(kind);
        return { type, answer: await reencode(file, type, { wallMs: TEST_MS }) };
      }),
    );
    for (const { type, answer } of answers) {
      if (answer.ok) await isOurs(answer.bytes, type);
      else expect(refusals).toContain(answer.reason);
    }
    expect(answers.some(({ answer }) => answer.ok)).toBe(true);
    expect(ownChildren()).toEqual([]);
    expect(process.memoryUsage.rss() - before).toBeLessThan(MEMORY_MAX_BYTES / 2);
  },
  TEST_MS,
);
