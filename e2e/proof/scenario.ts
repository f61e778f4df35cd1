import { join } from 'node:path';
import { checkFile } from './checks/checker.ts';
import { HistoryWriter } from './checks/history.ts';
import { buildPatched, type Patch } from './patch.ts';
import { Random } from './random.ts';
import type { Report } from './report.ts';
import { ROOT } from './topology/installation.ts';
import type { WatchedStage } from './watch/scene.ts';
import { startWatchers, type Watchers } from './watch/watchers.ts';
import type { Crowd } from './world/devices.ts';
import { startLoad, waitForRest } from './world/load.ts';
import { readEverything } from './world/reading.ts';
import { Recorder } from './world/recorder.ts';
import { PATIENCE_MS } from './world/time.ts';

export type Findings = Record<string, string[]>;

/** A proof: what it starts, what happens there, and what must be true then. */
export type Scenario<Place extends { close(): Promise<void> } = never> = {
  what: string;
  /** CI runs it in a small size, beside another one or alone. The others run only at night, in the full size. */
  ci?: 'beside' | 'alone';
  /** Why it cannot run on this machine. */
  lacks?(): string | undefined;
  topology(run: Run): Promise<Place>;
  /** Returns the findings of each check. A check without findings holds; one that is not returned was not judged. */
  prove(place: Place, run: Run): Promise<Findings>;
  /** The sentences. Scenarios with `underLoad` also have those of the checker. */
  checks: Record<string, string>;
  sabotages?: Record<string, Sabotage>;
};

/** A fault in the product or in the scenario. The checks that it names must fail. Another failure proves nothing. */
export type Sabotage = {
  what: string;
  mustBreak: readonly string[];
  patches?: readonly Patch[];
  /** More files, such as a migration: their texts by path. */
  added?: Record<string, string>;
  /** Runs on the migrated database. */
  sql?: string;
  /** Instead of the sizes and habits of the scenario. */
  options?: Record<string, unknown>;
  /** CI tries it too. */
  ci?: true;
};

export class Run {
  readonly name: string;
  readonly seed: number;
  readonly random: Random;
  readonly report: Report;
  /** The instance of the engines, so that two runs at the same time have their own. */
  readonly instance: string;
  readonly full: boolean;
  /** Only these kinds of fault. */
  readonly kinds: string | undefined;
  readonly sabotage: Sabotage | undefined;
  /** The part of the usual size. Most sabotages are found in a short run. */
  readonly part: number;
  /** The server of this run: the checkout, or a sabotaged copy. */
  build = ROOT;

  constructor(
    parts: Pick<Run, 'name' | 'seed' | 'report' | 'instance' | 'full' | 'kinds' | 'sabotage' | 'part'>,
  ) {
    this.name = parts.name;
    this.seed = parts.seed;
    this.random = new Random(parts.seed);
    this.report = parts.report;
    this.instance = parts.instance;
    this.full = parts.full;
    this.kinds = parts.kinds;
    this.sabotage = parts.sabotage;
    this.part = parts.part;
  }

  /** CI judges nothing by time: beside other work, everything may take long. It waits with a limit of minutes. */
  get timed(): boolean {
    return this.full || this.sabotage !== undefined;
  }

  readonly size = <T>(small: T, full: T): T => (this.full ? full : small);

  /** With the changes that the sabotage makes. */
  options<Options extends object>(usual: Options): Options {
    return { ...usual, ...this.sabotage?.options };
  }

  readonly log = (line: string): void => this.report.log(line);
}

/** Runs a scenario. Its report has what it found. */
export async function prove<Place extends { close(): Promise<void> }>(
  scenario: Scenario<Place>,
  run: Run,
): Promise<void> {
  const { build, remove } = buildPatched(ROOT, run.sabotage?.patches, run.sabotage?.added);
  run.build = build;
  try {
    const place = await scenario.topology(run);
    try {
      const found = await scenario.prove(place, run);
      for (const [name, findings] of Object.entries(found))
        run.report.check(scenario.checks[name] ?? name, findings, name);
    } finally {
      await place.close();
    }
  } finally {
    remove();
  }
}

/** What `underLoad` finds itself. */
export const loadChecks = {
  rest: 'at the end every outbox is empty, and every device has all messages',
  clients: 'no client is permanently refused or disconnected, and no page shows an error',
} as const;

type UnderLoad = {
  /** Of this part, if the run has several. */
  name?: string;
  wanted: { sends: number; faults: number };
  /** The average time between two messages of a device. */
  thinkMs: number;
  /** The time that clients have to finish after `act`. */
  restMs?: number;
  /** The installation, if presence, revocation and so on are watched too. */
  watched?: WatchedStage | undefined;
  /** Brings people with their devices. */
  arrive(parts: { random: Random; recorder: Recorder }): Promise<Crowd[]>;
  /** What happens while everybody writes. */
  act(parts: { crowds: Crowd[]; recorder: Recorder; history: HistoryWriter }): Promise<void>;
  /** What happens when everybody has everything. */
  afterRest?(crowds: Crowd[], recorder: Recorder): Promise<void>;
};

/** People write while something happens. Then everything is read, from each device too, and judged by the checker. */
export async function underLoad(
  run: Run,
  parts: UnderLoad,
): Promise<Findings & Record<keyof typeof loadChecks, string[]>> {
  const { wanted, watched, thinkMs, restMs = PATIENCE_MS } = parts;
  const { report, seed } = run;
  const { name = 'load' } = parts;
  const random = run.random.fork(name);
  const path = join(ROOT, '.settee', 'proof', `${run.name}-${name}.jsonl`);
  const history = new HistoryWriter(path);
  history.write({ type: 'run', seed, wantedSends: wanted.sends, wantedFaults: wanted.faults });
  const recorder = new Recorder(history);
  let crowds: Crowd[] = [];
  let watchers: Watchers | undefined;
  let stopLoad = (): void => {};
  try {
    crowds = await parts.arrive({ random, recorder });
    const devices = crowds.flatMap((crowd) => crowd.devices);
    watchers =
      watched &&
      (await startWatchers({
        stage: watched,
        desks: crowds.flatMap(({ desks }) => desks),
        history,
        random: random.fork('watchers'),
        timed: run.timed,
        patient: run.full,
      }));
    run.log(`${devices.length} devices write`);
    stopLoad = startLoad(devices, { random: random.fork('load'), recorder, sends: wanted.sends, thinkMs });
    await parts.act({ crowds, recorder, history });
    stopLoad();
    const rest = await waitForRest(devices, recorder, restMs);
    run.log(rest.length === 0 ? 'all at rest' : `not at rest: ${rest.length} devices`);
    await parts.afterRest?.(crowds, recorder);
    await watchers?.finish();
    for (const { from, desks, devices: own } of crowds)
      await readEverything({
        from,
        desks,
        devices: own,
        history,
        random: random.fork('reading'),
        settledWithinMs: Math.min(restMs, 60_000),
      });
    await history.close();
    report.verdict(await checkFile(path), path);
    return {
      rest,
      clients: [...recorder.troubles, ...crowds.flatMap(({ connections }) => [...connections.failures])],
    };
  } finally {
    // First, because a stopped device must not write.
    stopLoad();
    watchers?.abandon();
    for (const { devices } of crowds) for (const device of devices) device.stop();
  }
}
