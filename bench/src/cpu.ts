import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Microseconds of CPU time since their start, user and system. */
export type Cpu = Record<'gateway' | 'postgres' | 'nats' | 'generator', number>;

type Stat = { parent: number; own: number; buried: number };

const linux = process.platform === 'linux';
const MICROSECONDS_PER_TICK = linux
  ? 1_000_000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  : Number.NaN;

/** NaN if the process has ended, or without /proc. */
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
