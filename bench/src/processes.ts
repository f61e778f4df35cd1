// The processes that the bench starts, their CPU time and their memory.
import { type ChildProcess, execFileSync, type StdioOptions, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';

const running = new Set<ChildProcess>();
const PATIENCE_MS = 10_000;

// However this process ends, its child processes must end too.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/** Starts a Node process with an IPC channel. It ends at the latest with this process. */
export function startNode(args: string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
  const stdio: StdioOptions = ['ignore', 'inherit', 'inherit', 'ipc'];
  // Advanced, so that a missing figure arrives as NaN.
  const child = spawn(process.execPath, args, { stdio, env, serialization: 'advanced' });
  running.add(child);
  return child.once('exit', () => running.delete(child));
}

export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  await gone;
  clearTimeout(force);
}

/** The next message of the child. Rejects if it exits first. */
export function nextMessageFrom<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown): void => {
      child.off('exit', onExit);
      resolve(message as T);
    };
    const onExit = (code: number | null): void => {
      child.off('message', onMessage);
      reject(new Error(`${child.spawnargs.at(-1)} ended with ${code}`));
    };
    child.once('message', onMessage);
    child.once('exit', onExit);
  });
}

type Stat = { parent: number; own: number; buried: number };

const linux = process.platform === 'linux';
const MICROSECONDS_PER_TICK = linux
  ? 1_000_000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  : Number.NaN;

/** Microseconds of CPU time since the start, user and system. NaN if the process has ended, or without /proc. */
export function cpuOf(pid: number | undefined): number {
  return pid === undefined ? Number.NaN : (readStat(pid)?.own ?? Number.NaN);
}

/** A process with all its children. The time of ended children counts for their parent. */
export function cpuOfFamily(pid: number | undefined): number {
  if (pid === undefined) return Number.NaN;
  for (;;) {
    const head = readStat(pid);
    if (head === undefined) return Number.NaN;
    const children = childrenOf(pid).reduce((sum, child) => sum + (readStat(child)?.own ?? 0), 0);
    // Otherwise a child ended meanwhile, and may be missing from both.
    if (readStat(pid)?.buried === head.buried) return head.own + head.buried + children;
  }
}

export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => readStat(each)?.parent === pid);
}

function readStat(pid: number): Stat | undefined {
  if (!linux) return undefined;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name is in parentheses and may contain spaces. Only numbers follow it.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
    return {
      parent,
      own: (user + system) * MICROSECONDS_PER_TICK,
      buried: (childUser + childSystem) * MICROSECONDS_PER_TICK,
    };
  } catch {
    return undefined;
  }
}

/** A field of a file in /proc/PID, such as VmRSS in `status`, in bytes. NaN if there is none. */
export function memoryOf(pid: number | undefined, file: 'status' | 'smaps_rollup', field: string): number {
  try {
    const text = readFileSync(`/proc/${pid}/${file}`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * 1_024;
  } catch {
    return Number.NaN;
  }
}

/** Short, so that a process that used its share waits only for milliseconds. */
const QUOTA_PERIOD_US = 10_000;
const CGROUPS_V1 = '/sys/fs/cgroup/cpu';
const CGROUPS_V2 = '/sys/fs/cgroup';

/** Each of these processes gets at most this share of one core, until it ends. Needs root and cgroups. */
export function limitCpu(pids: readonly number[], share: number): { remove(): void } {
  const quota = Math.round(share * QUOTA_PERIOD_US);
  const isV1 = existsSync(`${CGROUPS_V1}/cpu.cfs_quota_us`);
  const groups = pids.map((pid) => {
    const group = `${isV1 ? CGROUPS_V1 : CGROUPS_V2}/settee-bench-${pid}`;
    mkdirSync(group);
    if (isV1) {
      writeFileSync(`${group}/cpu.cfs_period_us`, String(QUOTA_PERIOD_US));
      writeFileSync(`${group}/cpu.cfs_quota_us`, String(quota));
    } else writeFileSync(`${group}/cpu.max`, `${quota} ${QUOTA_PERIOD_US}`);
    writeFileSync(`${group}/cgroup.procs`, String(pid));
    return group;
  });
  return {
    /** Only after the processes have ended. */
    remove() {
      for (const group of groups) rmdirSync(group);
    },
  };
}
