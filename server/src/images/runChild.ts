import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { ANSWER_MAX_BYTES, type Answer, readAnswer } from './answer.ts';
import type { Isolation } from './isolation.ts';
import { type Kind, outputKind, type Shape } from './kinds.ts';

export type ChildLimits = {
  /** Node, except in tests. */
  program: string;
  script: string;
  cpuMs: number;
  wallMs: number;
  memoryBytes: number;
  isolation: Isolation;
};

/** Faults that the file must have caused. */
export type FileFault = 'out of time' | 'out of memory' | 'answer too large' | 'invalid answer';
/** Faults that the file or the machine may have caused: load, memory, a signal. */
export type TransientFault = 'too slow' | 'died' | 'failed' | 'not started';
type Failure = { fault: FileFault } | { transient: TransientFault };

const CHECK_INTERVAL_MS = 50;
/** The child ends itself a little later than the parent would kill it. */
const SELF_KILL_DELAY_MS = 1_000;
const SELF_KILL_EXTRA_BYTES = 64 * 1_048_576;
const JS_HEAP_MB = 128;
/** Unit of CPU time in /proc. */
const TICK_MS = 10;
/** Messages have priority over images. */
const NICENESS = 5;

/**
 * Contains no secrets. libvips keeps everything in memory, where it is counted, so a killed process leaves no files.
 */
const ENVIRONMENT = {
  VIPS_BLOCK_UNTRUSTED: '1',
  VIPS_CONCURRENCY: '1',
  VIPS_DISC_THRESHOLD: '8g',
  TMPDIR: '/dev/null',
  MALLOC_ARENA_MAX: '2',
};

/** Runs one process per file. Always resolves once, after the process has ended. */
export function runChild(
  file: Uint8Array,
  kind: Kind,
  limits: ChildLimits,
  shape: Shape = 'picture',
): Promise<Answer | Failure> {
  const { wallMs, cpuMs, memoryBytes } = limits;
  const child = start(kind, limits, shape);
  if (child?.pid === undefined) return Promise.resolve({ transient: 'not started' });
  const { pid } = child;
  const { promise, resolve } = Promise.withResolvers<Answer | Failure>();

  let failure: Failure | undefined;
  /** The first failure counts. Destroys the pipes, which another process might keep open. */
  const end = (why: Failure): void => {
    failure ??= why;
    child.kill('SIGKILL');
    child.stdin.destroy();
    child.stdout.destroy();
  };
  const clock = setTimeout(end, wallMs, { transient: 'too slow' });
  const lowered = new Set<number>();
  const watch = setInterval(() => {
    // With bubblewrap, the process that we started is not the one that works.
    const pids = withDescendants(pid);
    for (const each of pids.filter((one) => !lowered.has(one))) {
      lowerPriority(each);
      lowered.add(each);
    }
    if (sum(pids, residentBytes) > memoryBytes) end({ fault: 'out of memory' });
    if (sum(pids, cpuTimeMs) > cpuMs) end({ fault: 'out of time' });
  }, CHECK_INTERVAL_MS);

  const output: Buffer[] = [];
  let outputBytes = 0;
  child.stdout.on('data', (part: Buffer) => {
    outputBytes += part.length;
    if (outputBytes > ANSWER_MAX_BYTES) return end({ fault: 'answer too large' });
    output.push(part);
  });
  // The child may die before it has read everything; 'close' reports that.
  child.stdin.on('error', () => {});
  child.stdout.on('error', () => {});
  child.on('close', (code, signal) => {
    clearTimeout(clock);
    clearInterval(watch);
    // bubblewrap adds the number of the signal to 128.
    if (signal !== null || (code ?? 0) > 128) failure ??= { transient: 'died' };
    if (code !== 0) failure ??= { transient: 'failed' };
    resolve(
      failure ?? readAnswer(Buffer.concat(output), outputKind(kind, shape)) ?? { fault: 'invalid answer' },
    );
  });

  lowerPriority(pid);
  child.stdin.end(file);
  return promise;
}

/** Without a `pid` if the process could not start, mostly for lack of file descriptors. */
function start(
  kind: Kind,
  limits: ChildLimits,
  shape: Shape,
): ChildProcessByStdio<Writable, Readable, null> | undefined {
  const args = [
    `--max-old-space-size=${JS_HEAP_MB}`,
    limits.script,
    kind,
    `${limits.wallMs + SELF_KILL_DELAY_MS}`,
    `${limits.cpuMs + SELF_KILL_DELAY_MS}`,
    `${limits.memoryBytes + SELF_KILL_EXTRA_BYTES}`,
    `${limits.isolation.parent}`,
    shape,
  ];
  try {
    const [program, ...before] = [...limits.isolation.command, limits.program];
    const child = spawn(program, [...before, ...args], {
      cwd: '/',
      env: ENVIRONMENT,
      stdio: ['pipe', 'pipe', 'ignore'],
      // Ctrl+C is meant for the parent, which waits for running images.
      detached: true,
      windowsHide: true,
    });
    // An unhandled 'error' event would end this process.
    child.on('error', () => {});
    return child;
  } catch {
    return undefined;
  }
}

function withDescendants(pid: number): number[] {
  const children = readProc(pid, `task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
  return [pid, ...children.flatMap(withDescendants)];
}

function sum(pids: readonly number[], measure: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + measure(pid), 0);
}

/** 0 where /proc is missing; there the child checks itself. */
function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readProc(pid, 'status'))?.[1] ?? 0) * 1_024;
}

/** CPU time of all threads, likewise. The process name in parentheses may contain anything. */
function cpuTimeMs(pid: number): number {
  const numbers = readProc(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(numbers[11] ?? 0) + Number(numbers[12] ?? 0)) * TICK_MS;
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

/** Low priority, and first to be killed when memory runs out. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, NICENESS);
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // The process has ended, or the system does not support this.
  }
}
