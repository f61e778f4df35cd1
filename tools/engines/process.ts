// Starting, recognising and ending operating-system processes.
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

// A pid alone is not enough: after a reboot, or much later, it may belong to another program.
// The start mark (start time, and on Linux the boot it counts from) never comes twice with the same pid.
export type ProcessIdentity = { pid: number; started: string };

export type UnprivilegedUser = { uid: number; gid: number };

const linux = process.platform === 'linux';

// State letter and fields after the program name in /proc/<pid>/stat; the name itself may hold spaces.
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
    // A zombie holds no port, no file and no memory: it counts as gone. In containers without an
    // init process nobody may ever collect it.
    // (While other threads of it still end, the first thread is a zombie already: not gone yet.)
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

// Every process of a program: on Linux those of that name whose working directory is the program's
// own data folder, which also finds orphans of a killed parent; elsewhere the parent and its children.
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

// Ends a program politely, then, if it does not listen, by force.
export async function endProcess(
  identity: ProcessIdentity,
  polite: NodeJS.Signals,
  seconds: number,
): Promise<void> {
  if (!isAlive(identity)) return;
  signal(identity.pid, polite);
  // A paused process hears nothing until it may run again.
  signal(identity.pid, 'SIGCONT');
  if (await waitUntil(() => !isAlive(identity), seconds)) return;
  signal(identity.pid, 'SIGKILL');
  await waitUntil(() => !isAlive(identity), 5);
}

// Starts a program that outlives this one: own session, output to a file, no tie to our event loop.
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

// The end of a log says more than "it did not answer".
export function lastLines(file: string, count = 15): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  } catch {
    return '(no log)';
  }
}
