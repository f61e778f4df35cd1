// Starts, identifies and ends processes.
import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

// A pid may be reused. Together with the start time (and on Linux the boot id) it is unique.
export type ProcessIdentity = { pid: number; started: string };

export type UnprivilegedUser = { uid: number; gid: number };

const linux = process.platform === 'linux';

// The fields after the program name in /proc/<pid>/stat. The name may contain spaces.
function procStat(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

function startMark(pid: number): string | undefined {
  if (linux) {
    const fields = procStat(pid);
    // A zombie without other threads counts as ended. A container without init may never collect it.
    const ended = fields?.[0] === 'X' || (fields?.[0] === 'Z' && Number(fields[17]) <= 1);
    if (fields === undefined || ended) return undefined;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}:${fields[19] ?? ''}`;
  }
  try {
    const [state, ...started] = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .trim()
      .split(/\s+/);
    return state === undefined || state.startsWith('Z') ? undefined : started.join(' ');
  } catch {
    return undefined;
  }
}

export function identify(pid: number): ProcessIdentity {
  const started = startMark(pid);
  if (started === undefined) throw new Error(`Process ${pid} ended at once.`);
  return { pid, started };
}

export function isAlive(identity: ProcessIdentity | undefined): identity is ProcessIdentity {
  return identity !== undefined && startMark(identity.pid) === identity.started;
}

// All processes of a program. On Linux: by name and working directory, which also finds orphans. Elsewhere: the parent
// and its children.
export function processFamily(parent: number | undefined, name: string, folder: string): number[] {
  if (!linux) return parent === undefined ? [] : [parent, ...childrenOf(parent)];
  let real: string;
  try {
    real = realpathSync(folder);
  } catch {
    return [];
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return (
          readlinkSync(`/proc/${pid}/cwd`) === real &&
          readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === name &&
          startMark(pid) !== undefined
        );
      } catch {
        return false;
      }
    });
}

function childrenOf(parent: number): number[] {
  return execFileSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, ppid]) => ppid === parent)
    .map(([pid = 0]) => pid);
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  seconds: number,
): Promise<boolean> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    if (await condition()) return true;
    if (performance.now() > end) return false;
    await sleep(25);
  }
}

// Sends a signal, and SIGKILL if the process does not end in time.
export async function endProcess(
  identity: ProcessIdentity,
  polite: NodeJS.Signals,
  seconds: number,
): Promise<void> {
  if (!isAlive(identity)) return;
  signal(identity.pid, polite);
  // A paused process receives no signal until it continues.
  signal(identity.pid, 'SIGCONT');
  if (await waitUntil(() => !isAlive(identity), seconds)) return;
  signal(identity.pid, 'SIGKILL');
  await waitUntil(() => !isAlive(identity), 60);
}

// Starts a program that keeps running after this one ends.
export async function startDetached(
  program: string,
  args: readonly string[],
  options: { log: string; cwd: string; user?: UnprivilegedUser | undefined; env?: NodeJS.ProcessEnv },
): Promise<ProcessIdentity> {
  mkdirSync(dirname(options.log), { recursive: true });
  const log = openSync(options.log, 'a', 0o600);
  try {
    const child = spawn(program, args, {
      detached: true,
      stdio: ['ignore', log, log],
      cwd: options.cwd,
      env: options.env ?? process.env,
      ...(options.user ?? {}),
    });
    await new Promise<void>((done, fail) => {
      child.once('spawn', done).once('error', fail);
    });
    child.unref();
    if (child.pid === undefined) throw new Error(`${program} did not start.`);
    return identify(child.pid);
  } finally {
    closeSync(log);
  }
}

export function lastLines(file: string, count = 15): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  } catch {
    return '(no log)';
  }
}
