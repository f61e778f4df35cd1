import type { FaultRecord } from '../proof/causeFaults.ts';
import { quantile } from '../proof/quantile.ts';
import type { TimedRecorder } from '../proof/timedRecorder.ts';

const HEALTH = 'no fault';
const PAIR = 'two at the same time';

type Summary = { count: number; p50: number; p99: number; max: number };

/** How long people wait for the ack of what they write, by the fault during which they write it. */
export class Waits {
  readonly #all = new Map<string, number[]>();
  /** Only those of the product's own pages, which wait between two attempts to connect. */
  readonly #pages = new Map<string, number[]>();

  /** Takes the waits of a round. A message counts for the first fault that happens while it waits. */
  take(recorder: TimedRecorder, records: readonly FaultRecord<string>[], unrecoveredMs: number): void {
    const periods = records.map(({ kinds, startedAt, tookMs, recoveredMs }) => ({
      name: kinds.length === 1 ? (kinds[0] ?? '') : PAIR,
      from: startedAt,
      to: startedAt + tookMs + (recoveredMs ?? unrecoveredMs),
    }));
    for (const { device, writtenAt, ackedAt } of recorder.all()) {
      const name = periods.find(({ from, to }) => writtenAt < to && ackedAt > from)?.name ?? HEALTH;
      const ms = ackedAt - writtenAt;
      listOf(this.#all, name).push(ms);
      if (device.startsWith('page')) listOf(this.#pages, name).push(ms);
    }
  }

  summaries(): { during: string; all: Summary; pages: Summary }[] {
    return [...this.#all].map(([during, waits]) => ({
      during,
      all: summarise(waits),
      pages: summarise(this.#pages.get(during) ?? []),
    }));
  }
}

function listOf(lists: Map<string, number[]>, name: string): number[] {
  const list = lists.get(name) ?? [];
  lists.set(name, list);
  return list;
}

function summarise(waits: number[]): Summary {
  const max = waits.reduce((longest, ms) => Math.max(longest, ms), 0);
  const [p50, p99, longest] = [quantile(waits, 0.5), quantile(waits, 0.99), max].map(Math.round);
  return { count: waits.length, p50: p50 ?? 0, p99: p99 ?? 0, max: longest ?? 0 };
}
