import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownChildren } from '../../../test/images/ownChildren.ts';
import { still } from '../../../test/images/samples.ts';
import { MEMORY_MAX_BYTES } from './limits.ts';
import { reencode } from './reencode.ts';

const BAD_CHILD = join(import.meta.dirname, '../../../test/images/badChild.ts');
const CHILD = join(import.meta.dirname, 'child.ts');
/** On a busy machine a process takes a while to start. */
const PATIENT_MS = 60_000;
const MEGABYTE = 1_048_576;

function sin(which: string, limits: { wallMs?: number; memoryBytes?: number } = {}) {
  const file = Buffer.from(`GIF89a......${which}`);
  return reencode(file, 'image/gif', { script: BAD_CHILD, wallMs: PATIENT_MS, ...limits });
}

test.each([
  ['segfault', 'died'],
  ['kill', 'died'],
  ['abort', 'died'],
  ['throw', 'failed'],
  ['silence', 'said nonsense'],
  ['rubbish', 'said nonsense'],
  ['half an answer', 'said nonsense'],
  ['an answer and more', 'said nonsense'],
  ['a good answer, then die', 'died'],
  ['an own reason', 'said nonsense'],
  ['another format', 'said nonsense'],
  ['another of the four', 'said nonsense'],
  ['huge sides', 'said nonsense'],
  ['a strange thumbhash', 'said nonsense'],
  ['too much', 'said too much'],
  ['much in a picture', 'said nonsense'],
])(
  '[OPEN-112] a child that does this: %s; is refused as: %s',
  async (which, reason) => {
    expect(await sin(which)).toEqual({ ok: false, reason });
    expect(ownChildren()).toEqual([]);
  },
  PATIENT_MS,
);

test(
  'the child of these tests is believed when it behaves',
  async () => {
    expect(await sin('a good answer')).toMatchObject({ ok: true, type: 'image/gif', width: 1 });
  },
  PATIENT_MS,
);

test(
  '[OPEN-112] a child that hangs is killed when its time is over, also after its answer',
  async () => {
    const wallMs = 3_000;
    const started = performance.now();
    const both = await Promise.all([sin('hang', { wallMs }), sin('hang after all was said', { wallMs })]);
    expect(both).toEqual([
      { ok: false, reason: 'out of time' },
      { ok: false, reason: 'out of time' },
    ]);
    expect(performance.now() - started).toBeGreaterThanOrEqual(wallMs);
    expect(ownChildren()).toEqual([]);
  },
  PATIENT_MS,
);

test(
  '[OPEN-112] a child that eats memory is killed',
  async () => {
    expect(await sin('eat')).toEqual({ ok: false, reason: 'out of memory' });
    expect(ownChildren()).toEqual([]);
  },
  PATIENT_MS,
);

test(
  '[OPEN-112] a child that never reads ten megabytes harms nobody',
  async () => {
    const file = Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n....', 'latin1'),
      Buffer.alloc(10 * MEGABYTE - 12),
    ]);
    const limits = { script: BAD_CHILD, wallMs: PATIENT_MS };
    expect(await reencode(file, 'image/png', limits)).toEqual({ ok: false, reason: 'said nonsense' });
  },
  PATIENT_MS,
);

test(
  '[OPEN-112] a script or a program that is not there is told',
  async () => {
    const limits = { script: join(CHILD, 'nowhere.ts'), wallMs: PATIENT_MS };
    const file = await still('gif');
    expect(await reencode(file, 'image/gif', limits)).toEqual({ ok: false, reason: 'failed' });
    const program = join(CHILD, 'nowhere');
    expect(await reencode(file, 'image/gif', { program })).toEqual({ ok: false, reason: 'not started' });
    expect(await sin('a good answer')).toMatchObject({ ok: true });
  },
  PATIENT_MS,
);

test(
  '[OPEN-112] twelve at once: never more than two children, and each gets its own answer',
  async () => {
    let most = 0;
    const look = setInterval(() => {
      most = Math.max(most, ownChildren().length);
    }, 5);
    const sins = ['silence', 'kill', 'a good answer', 'rubbish', 'segfault', 'throw'];
    const answers = await Promise.all([...sins, ...sins].map((which) => sin(which)));
    clearInterval(look);
    const words = answers.map((answer) => (answer.ok ? 'ok' : answer.reason));
    const once = ['said nonsense', 'died', 'ok', 'said nonsense', 'died', 'failed'];
    expect(words).toEqual([...once, ...once]);
    expect(most).toBe(2);
  },
  PATIENT_MS,
);

test.each([
  ['its time', 1, MEMORY_MAX_BYTES],
  ['its memory', PATIENT_MS, MEGABYTE],
])(
  '[OPEN-112] without a parent the child ends itself when %s is over',
  async (_what, milliseconds, bytes) => {
    const args = [CHILD, 'png', `${milliseconds}`, `${bytes}`];
    // Standard input stays open: it would wait for ever.
    const child = spawn(process.execPath, args, { env: {}, stdio: ['pipe', 'ignore', 'ignore'] });
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  },
  PATIENT_MS,
);
