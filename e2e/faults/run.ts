import { resolve } from 'node:path';
import { causeFaults, type FaultRecord, faultEvents } from '../proof/causeFaults.ts';
import { checkFile } from '../proof/check.ts';
import type { Verdict } from '../proof/checker.ts';
import { openDevices, waitForRest } from '../proof/devices.ts';
import { HistoryWriter } from '../proof/history.ts';
import { startLoad } from '../proof/load.ts';
import { Random } from '../proof/random.ts';
import { readEverything } from '../proof/reading.ts';
import { type Device, Recorder } from '../proof/recorder.ts';
import { Stalls } from '../proof/stalls.ts';
import { until } from '../proof/until.ts';
import { startWatchers, type Watchers } from '../proof/watch/watchers.ts';
import { createWorld } from '../proof/world.ts';
import { type FaultKind, planFaults } from './faults.ts';
import { type Instance, ORIGIN, type Stage, setStage } from './stage.ts';

export type Profile = {
  instance: Instance;
  seed: number;
  desks: number;
  chatsPerDesk: number;
  sends: number;
  faults: number;
  kinds: readonly FaultKind[];
  /** The time limit of the load. */
  seconds: number;
  /** How long the run waits after each fault until most devices have sent again. */
  recoverSeconds: number;
  /** The time that clients have to finish after everything is repaired. */
  restSeconds: number;
  /** The share of messages that devices send again when not needed. */
  retries: number;
  /** Whether the run ends with messages that only the sweep can deliver. */
  finalMessages: boolean;
  /** Whether the run also observes what is beside the messages: presence, revocation and so on. */
  watch: boolean;
  /** The folder of the gateways. */
  build: string;
  /** Runs on the migrated database. */
  sql: string;
  historyPath: string;
  keep: boolean;
};

/** Properties that only the run can check. The checker checks the others. */
export const liveProperties = {
  rest: 'after the last repair, every outbox becomes empty and every device gets all messages in time',
  dark: 'without NATS, every connected device has everything within 5 s',
  clients: 'no client is permanently refused or disconnected',
  gateways: 'no gateway ends unexpectedly',
  unacked: 'a gateway was killed with unconfirmed commits',
} as const;
export type LiveProperty = keyof typeof liveProperties;

export type RunResult = {
  verdict: Verdict;
  live: Record<LiveProperty, string[]>;
  faults: FaultRecord<FaultKind>[];
  recorder: Recorder;
  cuts: number;
  loadSeconds: number;
  darkMs: number | null;
  messages: number;
};

/** The product waits up to half a minute before it reconnects, too long for this run. */
const CLOCK_SPEED = 5;
const ROOT = resolve(import.meta.dirname, '../..');
/** Only for runs that hang. */
const WRITTEN_WITHIN_MS = 60_000;
/** The others lost their connection for another reason: the network cuts some every second. */
const MOST = 0.9;
const THINK_MS = 220;
const DARK_WITHIN_MS = 5_000;
/** For a machine that stands still. That time does not count. */
const DARK_AT_MOST_MS = 30_000;
/** A sabotaged run may never settle. */
const SHORT_REST_SECONDS = 10;

export async function run(profile: Profile, log: (line: string) => void): Promise<RunResult> {
  const random = new Random(profile.seed);
  const history = new HistoryWriter(profile.historyPath);
  const { seed, sends: wantedSends, faults: wantedFaults } = profile;
  history.write({ type: 'run', seed, wantedSends, wantedFaults });
  const recorder = new Recorder(history);
  const stage = await setStage({ ...profile, random: random.fork('client lines') });
  let devices: Device[] = [];
  let load: ReturnType<typeof startLoad> | undefined;
  let watchers: Watchers | undefined;
  try {
    const desks = await createWorld({ ...stage, ...profile, build: ROOT, port: stage.aheadPort });
    devices = await openDevices(desks, random, {
      ...stage,
      port: stage.lines.clients,
      origin: ORIGIN,
      recorder,
      history,
      retries: profile.retries,
      speed: CLOCK_SPEED,
    });
    log(`${desks.length * profile.chatsPerDesk} conversations, ${devices.length} devices; load begins`);

    watchers = profile.watch
      ? await startWatchers({
          stage: { ...stage, origin: ORIGIN, signInPort: stage.aheadPort },
          desks,
          history,
          random: random.fork('watchers'),
        })
      : undefined;
    const began = performance.now();
    load = startLoad(devices, {
      random: random.fork('load'),
      recorder,
      sends: wantedSends,
      thinkMs: THINK_MS,
    });
    const faultRandom = random.fork('faults');
    const plan = planFaults(stage.targets, faultRandom, profile.kinds);
    const records = await causeFaults(plan, {
      ...profile,
      recoveredShare: MOST,
      devices,
      random: faultRandom,
      recorder,
      log,
    });
    for (const event of records.flatMap(faultEvents)) history.write(event);
    load.stop();
    const loadSeconds = (performance.now() - began) / 1_000;
    const cuts = await stage.lines.ask({ do: 'cuts' });

    await stage.lines.ask({ do: 'cutClients', after: Number.POSITIVE_INFINITY });
    const rest = await waitForRest(devices, recorder, profile.restSeconds * 1_000);
    log(rest.length === 0 ? 'all at rest' : `not at rest: ${rest.length} devices`);
    const darkMs = profile.finalMessages ? await finalMessages(stage, devices, recorder, log) : null;
    await watchers?.finish();
    await readEverything({
      from: stage,
      desks,
      devices,
      history,
      random: random.fork('reading'),
      ...(profile.restSeconds < SHORT_REST_SECONDS && { settledWithinMs: profile.restSeconds * 1_000 }),
    });
    await history.close();
    const unacked = records.filter(({ kinds }) => kinds.includes('gateway killed between commit and ack'));
    return {
      verdict: await checkFile(profile.historyPath),
      live: {
        rest,
        dark: darkMs === null ? ['some device had not received everything'] : [],
        clients: recorder.troubles,
        gateways: stage.targets.gateways.flatMap((gateway) => gateway.unexpectedEnds),
        unacked:
          unacked.length > 0 && unacked.every(({ note }) => note.includes(' 0 commits'))
            ? ['no commit was held back in any of these faults']
            : [],
      },
      faults: records,
      recorder,
      cuts,
      loadSeconds,
      darkMs,
      messages: recorder.ackedCount,
    };
  } finally {
    // First, because a stopped device must not write.
    load?.stop();
    for (const device of devices) device.stop();
    watchers?.abandon();
    await stage.close();
  }
}

/**
 * Sends the last messages without NATS. No later message shows that one is missing, so only the sweep can deliver them.
 * Returns the milliseconds from the last ack to the last receipt.
 */
async function finalMessages(
  stage: Stage,
  devices: Device[],
  recorder: Recorder,
  log: (line: string) => void,
): Promise<number | null> {
  const stalls = new Stalls();
  await stage.targets.nats.kill();
  try {
    const written = (): Promise<boolean> =>
      until(() => devices.every((device) => device.unacked() === 0), WRITTEN_WITHIN_MS);
    for (const device of devices) device.write();
    if (!(await written())) return null;
    // One more from one device of each conversation, because an own ack would show the others what they miss.
    for (const device of new Map(devices.map((each) => [each.conversation, each])).values()) device.write();
    if (!(await written())) return null;
    const acked = performance.now();
    const all = (): boolean =>
      devices.every((device) => device.lastSeq() >= recorder.head(device.conversation));
    const waited = (): number => stalls.without(acked, performance.now());
    await until(() => all() || waited() > DARK_WITHIN_MS, DARK_AT_MOST_MS);
    const tookMs = Math.round(waited());
    const got = all() && tookMs <= DARK_WITHIN_MS;
    log(
      got
        ? `without NATS, all devices caught up in ${tookMs} ms`
        : 'without NATS, some devices missed messages',
    );
    // Waits for the retries of these messages before the reading.
    await until(() => devices.every((device) => device.isIdle()), DARK_WITHIN_MS);
    return got ? tookMs : null;
  } finally {
    await stage.targets.nats.start();
  }
}
