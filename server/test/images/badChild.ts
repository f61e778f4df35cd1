// Replaces child.ts and does everything that it must not do. The file content after the magic bytes selects the fault.
import { once } from 'node:events';
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { writeAnswer } from '../../src/images/answer.ts';
import { MEMORY_MAX_BYTES, OUTPUT_MAX_BYTES } from '../../src/images/limits.ts';

const MEGABYTE = 1_048_576;
const STDOUT = 1;

function write(...parts: Uint8Array[]): void {
  for (const part of parts) {
    for (let at = 0; at < part.length; ) at += writeSync(STDOUT, part, at);
  }
}

function hang(): void {
  for (;;);
}

async function sleep(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 600_000));
}

/** Stops at twice what is allowed: a parent on a busy machine looks late, and the machine must not run out of memory. */
async function eat(): Promise<void> {
  const eaten: Buffer[] = [];
  while (eaten.length * 16 * MEGABYTE < 2 * MEMORY_MAX_BYTES) {
    eaten.push(Buffer.alloc(16 * MEGABYTE, 1));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await sleep();
  eaten.length = 0;
}

function dieBy(signal: NodeJS.Signals): void {
  process.kill(process.pid, signal);
  hang();
}

const GIF = Buffer.from('GIF89a......');
const PNG = Buffer.from('\x89PNG\r\n\x1a\n....', 'latin1');
const picture = { width: 1, height: 1, thumbhash: 'AAAAAAAA', bytes: GIF };

const behaviours: Record<string, () => void | Promise<void>> = {
  hang,
  'hang after the answer': () => {
    write(...writeAnswer({ picture }));
    hang();
  },
  sleep,
  eat,
  segfault: () => dieBy('SIGSEGV'),
  kill: () => dieBy('SIGKILL'),
  abort: () => process.abort(),
  throw: () => {
    throw new Error('a sin');
  },
  silence: () => {},
  rubbish: () => write(Buffer.from('<script>alert(1)</script>')),
  'half an answer': () => write(Buffer.concat(writeAnswer({ picture })).subarray(0, -1)),
  'an answer and more': () => write(...writeAnswer({ picture }), Buffer.from('more')),
  'a good answer, then die': () => {
    write(...writeAnswer({ picture }));
    dieBy('SIGSEGV');
  },
  'an own reason': () => write(...writeAnswer({ reason: 'line\nbreak' as 'not decodable' })),
  'another format': () =>
    write(...writeAnswer({ picture: { ...picture, bytes: Buffer.from('<svg/><svg/><svg/>') } })),
  'another of the four': () => write(...writeAnswer({ picture: { ...picture, bytes: PNG } })),
  'huge sides': () => write(...writeAnswer({ picture: { ...picture, width: 100_000 } })),
  'a strange thumbhash': () => write(...writeAnswer({ picture: { ...picture, thumbhash: '"><script>' } })),
  'too much': () => {
    for (let written = 0; written < 2 * OUTPUT_MAX_BYTES; written += MEGABYTE) write(Buffer.alloc(MEGABYTE));
  },
  'much in a picture': () =>
    write(
      ...writeAnswer({
        picture: { ...picture, bytes: Buffer.concat([GIF, Buffer.alloc(OUTPUT_MAX_BYTES)]) },
      }),
    ),
  'a good answer': () => write(...writeAnswer({ picture })),
};

const any = (paths: string, attempt: (path: string) => unknown) =>
  Promise.any(paths.split(',').map(async (path) => attempt(path)));

/** Attempts to leave the process, with any of the paths. A good answer means that it worked. */
const attempts: Record<string, (target: string) => Promise<unknown>> = {
  connect: (port) => once(connect(Number(port), '127.0.0.1'), 'connect'),
  read: (paths) => any(paths, readFileSync),
  write: (paths) => any(paths, (path) => writeFileSync(path, '')),
};

/** This fault does not even read its input. */
if (process.argv[2] === 'png') process.exit(0);
const wanted = (await buffer(process.stdin)).toString('latin1', 12);
await behaviours[wanted]?.();
const [attempt = '', target = ''] = wanted.split(' ');
if (attempts[attempt] !== undefined) {
  await attempts[attempt](target);
  write(...writeAnswer({ picture }));
  process.exit(0);
}
