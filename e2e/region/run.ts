import { join } from 'node:path';
import { causeFaults, type Event, type FaultRecord, faultEvents } from '../proof/causeFaults.ts';
import { checkFile } from '../proof/check.ts';
import type { Verdict } from '../proof/checker.ts';
import { openDevices, waitForRest } from '../proof/devices.ts';
import { HistoryWriter } from '../proof/history.ts';
import { startLoad } from '../proof/load.ts';
import type { Random } from '../proof/random.ts';
import { readEverything } from '../proof/reading.ts';
import type { Device } from '../proof/recorder.ts';
import { TimedRecorder } from '../proof/timedRecorder.ts';
import { startWatchers, type Watchers } from '../proof/watch/watchers.ts';
import { createWorld } from '../proof/world.ts';
import { FOLDER } from './folder.ts';
import { BUILD, ORIGIN, type Region } from './stage.ts';

export type Profile = {
  name: string;
  seed: number;
  desks: number;
  chatsPerDesk: number;
  /** The average time between two messages of a device. */
  thinkMs: number;
  sends: number;
  faults: number;
  /** The time limit of the load. */
  seconds: number;
  recoverSeconds: number;
  /** The share of the devices that must send again before the next fault. */
  recoveredShare: number;
  restSeconds: number;
  /** The share of messages that devices send again when not needed. */
  retries: number;
  watch: boolean;
};

/** Properties that only the run can check. The checker checks the others. */
export const liveProperties = {
  recovery: 'after every fault, the devices send again in time',
  rest: 'after the last repair, every outbox becomes empty and every device gets all messages in time',
  clients: 'no client is permanently refused or disconnected',
  ends: 'no gateway or worker ends unexpectedly',
} as const;

export type Round = {
  verdict: Verdict;
  live: Record<keyof typeof liveProperties, string[]>;
  records: FaultRecord<string>[];
  recorder: TimedRecorder;
  historyPath: string;
  loadSeconds: number;
};

/** New people write while faults happen. Then everything is read and checked. */
export async function runRound(
  region: Region,
  profile: Profile,
  parts: { random: Random; plan: Iterator<Event<string>, unknown>; log: (line: string) => void },
): Promise<Round> {
  const { random, plan, log } = parts;
  const historyPath = join(FOLDER, `${profile.name}.jsonl`);
  const history = new HistoryWriter(historyPath);
  const { seed, sends: wantedSends, faults: wantedFaults } = profile;
  history.write({ type: 'run', seed, wantedSends, wantedFaults });
  const recorder = new TimedRecorder(history);
  const endsBefore = unexpectedEnds(region).length;
  let devices: Device[] = [];
  let load: ReturnType<typeof startLoad> | undefined;
  let watchers: Watchers | undefined;
  try {
    const desks = await createWorld({
      ...region,
      ...profile,
      build: BUILD,
      port: region.aheadPort,
      prefix: profile.name,
    });
    devices = await openDevices(desks, random, {
      ...region,
      ...profile,
      port: region.lines.clients,
      origin: ORIGIN,
      recorder,
      history,
      // What people experience.
      speed: 1,
    });
    log(`${profile.name}: ${desks.length * profile.chatsPerDesk} conversations, ${devices.length} devices`);
    watchers = profile.watch
      ? await startWatchers({
          stage: { ...region, origin: ORIGIN, signInPort: region.aheadPort },
          desks,
          history,
          random: random.fork('watchers'),
        })
      : undefined;
    const began = performance.now();
    load = startLoad(devices, { ...profile, random: random.fork('load'), recorder });
    const records = await causeFaults(plan, {
      ...profile,
      devices,
      random: random.fork('faults'),
      recorder,
      log,
    });
    for (const event of records.flatMap(faultEvents)) history.write(event);
    load.stop();
    const loadSeconds = (performance.now() - began) / 1_000;
    const rest = await waitForRest(devices, recorder, profile.restSeconds * 1_000);
    log(rest.length === 0 ? 'all at rest' : `not at rest: ${rest.length} devices`);
    await watchers?.finish();
    await readEverything({ from: region, desks, devices, history, random: random.fork('reading') });
    await history.close();
    const late = records.filter(({ recoveredMs }) => recoveredMs === null);
    return {
      verdict: await checkFile(historyPath),
      live: {
        recovery: late.map(({ kinds, note }) => `${kinds.join(' + ')}: ${note}`),
        rest,
        clients: recorder.troubles,
        ends: unexpectedEnds(region).slice(endsBefore),
      },
      records,
      recorder,
      historyPath,
      loadSeconds,
    };
  } finally {
    // First, because a stopped device must not write.
    load?.stop();
    watchers?.abandon();
    for (const device of devices) device.stop();
  }
}

function unexpectedEnds({ gateways, workers }: Region): string[] {
  return [...gateways, ...workers].flatMap((each) => each.unexpectedEnds);
}
