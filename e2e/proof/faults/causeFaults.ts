import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoryEvent, HistoryWriter } from '../checks/history.ts';
import type { Random } from '../random.ts';
import type { Device, Recorder, Wait } from '../world/recorder.ts';
import { spread, until } from '../world/time.ts';

const HEALTH = 'without a fault';
const PAIR = 'two at the same time';
const UNRECOVERED_MS = 60_000;

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
    history: HistoryWriter;
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
    for (const kind of kinds) options.history.write({ type: 'fault', kind, at, tookMs, recoveredMs, note });
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

function countFaults(records: readonly { kinds: readonly string[] }[]): number {
  return records.reduce((count, { kinds }) => count + kinds.length, 0);
}

/** How often each kind happened, how long it lasted, and how long people waited for the ack of what they wrote then. */
export function describeFaults(
  records: readonly FaultRecord<string>[],
  waits: readonly Wait[],
  latencies: readonly number[],
): string {
  const periods = records.map(({ kinds, startedAt, tookMs, recoveredMs }) => ({
    name: kinds.length === 1 ? (kinds[0] ?? '') : PAIR,
    from: startedAt,
    to: startedAt + tookMs + (recoveredMs ?? UNRECOVERED_MS),
  }));
  // A message counts for the first fault that happens while it waits.
  const during = Map.groupBy(
    waits,
    ({ writtenAt, ackedAt }) =>
      periods.find(({ from, to }) => writtenAt < to && ackedAt > from)?.name ?? HEALTH,
  );
  const byName = Map.groupBy(records, ({ kinds }) => (kinds.length === 1 ? kinds[0] : PAIR));
  const lines = [...during].map(([name, own]) => {
    const times = byName.get(name)?.length ?? 0;
    const lasted = byName.get(name)?.map(({ tookMs }) => tookMs) ?? [];
    const how = times === 0 ? '' : ` (${times} times, at most ${Math.round(Math.max(...lasted) / 1_000)} s)`;
    const ms = own.map(({ writtenAt, ackedAt }) => ackedAt - writtenAt);
    const pages = own
      .filter(({ device }) => device.startsWith('page'))
      .map(({ writtenAt, ackedAt }) => ackedAt - writtenAt);
    return `${name}${how}: sent to acknowledged ${spread(ms)}; of the product's pages ${spread(pages)}`;
  });
  return [
    ...lines,
    `${countFaults(records)} faults, of them ${records.filter(({ kinds }) => kinds.length > 1).length} pairs; commit to receipt without faults ${spread(latencies)}`,
  ].join('\n');
}
