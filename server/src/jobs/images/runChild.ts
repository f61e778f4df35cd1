import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { ANSWER_MAX_BYTES, type Answer, readAnswer } from './answer.ts';
import type { Kind } from './kinds.ts';

export type ChildLimits = { script: string; cpuMs: number; wallMs: number; memoryBytes: number };

/** What the child can do to earn it. The last two say that this installation cannot draw at all. */
export type Failure =
  | 'out of time'
  | 'out of memory'
  | 'said too much'
  | 'said nonsense'
  | 'died'
  | 'failed'
  | 'not started';

const WATCH_MS = 50;
/** It ends itself a little later than it is killed: for a parent that is gone, or cannot see. */
const LATER_MS = 1_000;
const LATER_BYTES = 64 * 1_048_576;
const JS_HEAP_MB = 128;
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
): Promise<Answer | { failure: Failure }> {
  const { script, cpuMs, wallMs, memoryBytes } = limits;
  const { promise, resolve } = Promise.withResolvers<Answer | { failure: Failure }>();
  const args = [
    `--max-old-space-size=${JS_HEAP_MB}`,
    script,
    kind,
    `${wallMs + LATER_MS}`,
    `${memoryBytes + LATER_BYTES}`,
  ];
  const child = spawn(process.execPath, args, {
    cwd: '/',
    env: ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });

  let failure: Failure | undefined;
  /** The first reason counts. A pipe that somebody else holds open must not hold us. */
  const end = (why: Failure): void => {
    failure ??= why;
    child.kill('SIGKILL');
    child.stdin.destroy();
    child.stdout.destroy();
  };
  const clock = setTimeout(end, wallMs, 'out of time');
  const watch = setInterval(() => {
    if (residentBytes(child.pid) > memoryBytes) end('out of memory');
    if (processorMs(child.pid) > cpuMs) end('out of time');
  }, WATCH_MS);

  const said: Buffer[] = [];
  let saidBytes = 0;
  child.stdout.on('data', (part: Buffer) => {
    saidBytes += part.length;
    if (saidBytes > ANSWER_MAX_BYTES) return end('said too much');
    said.push(part);
  });
  // It may die before it has read all: 'close' tells that.
  child.stdin.on('error', () => {});
  child.stdout.on('error', () => {});
  child.on('error', () => end('not started'));
  child.on('close', (code, signal) => {
    clearTimeout(clock);
    clearInterval(watch);
    if (signal !== null) failure ??= 'died';
    if (code !== 0) failure ??= 'failed';
    if (failure !== undefined) return resolve({ failure });
    resolve(readAnswer(Buffer.concat(said), kind) ?? { failure: 'said nonsense' });
  });

  makeModest(child.pid);
  child.stdin.end(file);
  return promise;
}

/** 0 where the system does not tell: there the child looks itself. */
function residentBytes(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

/** Ticks are hundredths of a second for every program on Linux. 0 where the system does not tell: there the clock counts. */
function processorMs(pid: number | undefined): number {
  try {
    // The second field is a name in brackets, which may hold anything; behind it come the third and all others.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) * 10;
  } catch {
    return 0;
  }
}

/** It gives way to everybody, and is the first to go when the machine has no memory left. */
function makeModest(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, NICENESS);
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // It is gone already, or this system knows no such thing.
  }
}
