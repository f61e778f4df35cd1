import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf } from '../cpu.ts';
import { residentBytes } from '../memoryOf.ts';

const SAMPLE_MS = 2_000;
/** Steady: during so many samples the memory changes by at most this share. */
const SAMPLES = 5;
const CHANGE_MAX = 0.005;
const SAMPLES_MAX = 30;

/** Bytes of memory (RSS) of a server and its children, when they have settled. */
export async function settledBytes(pid: number): Promise<number> {
  const samples: number[] = [];
  for (;;) {
    const now = [pid, ...childrenOf(pid)].reduce((sum, each) => sum + residentBytes(each), 0);
    samples.push(now);
    const recent = samples.slice(-SAMPLES);
    const isSteady =
      recent.length === SAMPLES && Math.max(...recent) - Math.min(...recent) <= CHANGE_MAX * now;
    if (isSteady || samples.length === SAMPLES_MAX) return now;
    await sleep(SAMPLE_MS);
  }
}
