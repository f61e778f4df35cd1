import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { ANSWER_MAX_BYTES, type Answer, readAnswer } from './answer.ts';
import { type Kind, outputKind, type Shape } from './kinds.ts';

export type ChildLimits = {
  /** Node itself, unless a test has none. */
  program: string;
  script: string;
  cpuMs: number;
  wallMs: number;
  memoryBytes: number;
};

/** What the file must have made it do. */
export type FileFault = 'out of time' | 'out of memory' | 'said too much' | 'said nonsense';
/** What the file can do to it, but this machine as well: too much work, no memory, a signal meant for somebody else. */
export type TransientFault = 'too slow' | 'died' | 'failed' | 'not started';
type Failure = { sin: FileFault } | { mishap: TransientFault };

const WATCH_MS = 50;
/** It ends itself a little later than it is killed: for a parent that is gone, or cannot see. */
const LATER_MS = 1_000;
const LATER_BYTES = 64 * 1_048_576;
const JS_HEAP_MB = 128;
/** The unit in which Linux tells a process's time. */
const TICK_MS = 10;
/** Nobody's message waits for a picture. */
const NICENESS = 5;

/**
 * No secret of ours is in its environment. Anything libvips would put into a file stays in memory, where it is counted:
 * a killed process leaves nothing behind.
 */
const ENVIRONMENT = {
  VIPS_BLOCK_UNTRUSTED: '1',
  VIPS_CONCURRENCY: '1',
  VIPS_DISC_THRESHOLD: '8g',
  TMPDIR: '/dev/null',
  MALLOC_ARENA_MAX: '2',
};

/** One process for one file. Exactly one answer, whatever it does; when that comes, the process is gone. */
export function runChild(
  file: Uint8Array,
  kind: Kind,
  limits: ChildLimits,
  shape: Shape = 'picture',
): Promise<Answer | Failure> {
  const { wallMs, cpuMs, memoryBytes } = limits;
  const child = start(kind, limits, shape);
  if (child?.pid === undefined) return Promise.resolve({ mishap: 'not started' });
  const { pid } = child;
  const { promise, resolve } = Promise.withResolvers<Answer | Failure>();

  let failure: Failure | undefined;
  /** The first reason counts. A pipe that somebody else holds open must not hold us. */
  const end = (why: Failure): void => {
    failure ??= why;
    child.kill('SIGKILL');
    child.stdin.destroy();
    child.stdout.destroy();
  };
  const clock = setTimeout(end, wallMs, { mishap: 'too slow' });
  const watch = setInterval(() => {
    if (residentBytes(pid) > memoryBytes) end({ sin: 'out of memory' });
    if (cpuTimeMs(pid) > cpuMs) end({ sin: 'out of time' });
  }, WATCH_MS);

  const said: Buffer[] = [];
  let saidBytes = 0;
  child.stdout.on('data', (part: Buffer) => {
    saidBytes += part.length;
    if (saidBytes > ANSWER_MAX_BYTES) return end({ sin: 'said too much' });
    said.push(part);
  });
  // It may die before it has read all: 'close' tells that.
  child.stdin.on('error', () => {});
  child.stdout.on('error', () => {});
  child.on('close', (code, signal) => {
    clearTimeout(clock);
    clearInterval(watch);
    if (signal !== null) failure ??= { mishap: 'died' };
    if (code !== 0) failure ??= { mishap: 'failed' };
    resolve(failure ?? readAnswer(Buffer.concat(said), outputKind(kind, shape)) ?? { sin: 'said nonsense' });
  });

  lowerPriority(pid);
  child.stdin.end(file);
  return promise;
}

/** Without a `pid` when there is no process: not enough of something, mostly of file descriptors. */
function start(
  kind: Kind,
  limits: ChildLimits,
  shape: Shape,
): ChildProcessByStdio<Writable, Readable, null> | undefined {
  const args = [
    `--max-old-space-size=${JS_HEAP_MB}`,
    limits.script,
    kind,
    `${limits.wallMs + LATER_MS}`,
    `${limits.cpuMs + LATER_MS}`,
    `${limits.memoryBytes + LATER_BYTES}`,
    `${process.pid}`,
    shape,
  ];
  try {
    const child = spawn(limits.program, args, {
      cwd: '/',
      env: ENVIRONMENT,
      stdio: ['pipe', 'pipe', 'ignore'],
      // Ctrl+C at our terminal is meant for us, who wait for the pictures in hand.
      detached: true,
      windowsHide: true,
    });
    // Before anything else: an 'error' that nobody hears ends this process.
    child.on('error', () => {});
    return child;
  } catch {
    return undefined;
  }
}

/** 0 where the system does not tell: there the child looks itself. */
function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readProc(pid, 'status'))?.[1] ?? 0) * 1_024;
}

/** The time that its threads have had a processor, likewise. Its name, in brackets, may hold anything. */
function cpuTimeMs(pid: number): number {
  const numbers = readProc(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(numbers[11] ?? 0) + Number(numbers[12] ?? 0)) * TICK_MS;
}

function readProc(pid: number, file: 'status' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

/** It gives way to everybody, and is the first to go when the machine has no memory left. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, NICENESS);
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // It is gone already, or this system knows no such thing.
  }
}
