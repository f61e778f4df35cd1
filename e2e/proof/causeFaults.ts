import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoryEvent } from './history.ts';
import type { Random } from './random.ts';
import type { Device, Recorder } from './recorder.ts';
import { until } from './until.ts';

/** One fault, or several at the same time. */
export type Event<Kind extends string> = {
  kinds: readonly Kind[];
  /** Breaks and repairs. Returns a note. */
  cause(): Promise<string>;
};

export type FaultRecord<Kind extends string> = Omit<HistoryEvent & { type: 'fault' }, 'type' | 'kind'> & {
  kinds: readonly Kind[];
  /** On the clock of `performance.now()`. */
  startedAt: number;
};

/** Causes one event after another, with time to recover, until there were enough faults and messages. */
export async function causeFaults<Kind extends string>(
  plan: Iterator<Event<Kind>, unknown>,
  options: {
    /** The wanted numbers. */
    faults: number;
    sends: number;
    /** The time limit. */
    seconds: number;
    /** How long to wait after each event until this share of the devices has sent again. */
    recoverSeconds: number;
    recoveredShare: number;
    devices: readonly Device[];
    random: Random;
    recorder: Recorder;
    log: (line: string) => void;
  },
): Promise<FaultRecord<Kind>[]> {
  const { devices, random, recorder, log } = options;
  const records: FaultRecord<Kind>[] = [];
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1_000;
  const mostAcked = (since: number) => () =>
    devices.filter((device) => recorder.ackedSince(device, since)).length >=
    options.recoveredShare * devices.length;
  const recoverMs = options.recoverSeconds * 1_000;
  await until(mostAcked(began), recoverMs);
  recorder.measuring = true;
  await sleep(1_000);
  while (seconds() < options.seconds) {
    const enough = countFaults(records) >= options.faults;
    if (enough && recorder.ackedCount >= options.sends) break;
    recorder.measuring = true;
    await sleep(random.between(500, 2_000));
    recorder.measuring = false;
    // Enough faults, but not enough messages: the load continues without faults.
    const event = enough ? undefined : plan.next();
    if (event === undefined || event.done === true) continue;
    const { kinds, cause } = event.value;
    const startedAt = performance.now();
    const at = Date.now();
    const note = await cause();
    const healed = performance.now();
    const recovered = await until(mostAcked(healed), recoverMs);
    const recoveredMs = recovered ? Math.round(performance.now() - healed) : null;
    const tookMs = Math.round(healed - startedAt);
    records.push({ kinds, startedAt, at, tookMs, recoveredMs, note });
    log(
      `${seconds().toFixed(0).padStart(4)} s  fault ${String(countFaults(records)).padStart(2)}: ${kinds.join(' + ')}${note === '' ? '' : ` (${note})`}, ${(tookMs / 1_000).toFixed(1)} s, acknowledged again after ${recoveredMs ?? `> ${recoverMs}`} ms; ${recorder.ackedCount} messages`,
    );
    if (recoveredMs === null) {
      const stuck = devices.filter((device) => !recorder.ackedSince(device, healed));
      for (const device of stuck.slice(0, 5)) log(`        ${device.describe()}`);
    }
  }
  recorder.measuring = false;
  return records;
}

export function countFaults(records: readonly { kinds: readonly string[] }[]): number {
  return records.reduce((count, { kinds }) => count + kinds.length, 0);
}

/** For the history, which has one event for each fault. */
export function faultEvents({
  kinds,
  startedAt: _,
  ...rest
}: FaultRecord<string>): (HistoryEvent & { type: 'fault' })[] {
  return kinds.map((kind) => ({ type: 'fault', kind, ...rest }));
}
