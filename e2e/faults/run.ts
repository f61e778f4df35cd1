import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fullSize } from '../../tools/fullSize.ts';
import { checkFile } from '../proof/check.ts';
import type { Verdict } from '../proof/checker.ts';
import { HistoryWriter } from '../proof/history.ts';
import { startLoad } from '../proof/load.ts';
import { openPage, PageDevice } from '../proof/page.ts';
import { PipeliningClient } from '../proof/pipeliningClient.ts';
import { Random } from '../proof/random.ts';
import { readEverything } from '../proof/reading.ts';
import { type Device, Recorder } from '../proof/recorder.ts';
import { until } from '../proof/until.ts';
import { startWatchers, type Watchers } from '../proof/watch/watchers.ts';
import { createWorld, type Desk } from '../proof/world.ts';
import { type FaultKind, faults, planFaults } from './faults.ts';
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
  /** Whether devices send messages again when not needed. */
  retries: boolean;
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

export type FaultRecord = {
  kind: FaultKind;
  at: number;
  tookMs: number;
  recoveredMs: number | null;
  note: string;
};
export type RunResult = {
  verdict: Verdict;
  live: Record<LiveProperty, string[]>;
  faults: FaultRecord[];
  recorder: Recorder;
  cuts: number;
  loadSeconds: number;
  darkMs: number | null;
  messages: number;
};

/** The product waits up to half a minute before it reconnects, too long for this run. */
const CLOCK_SPEED = 5;
const ROOT = resolve(import.meta.dirname, '../..');
const OPENED_WITHIN_MS = 60_000;
const WRITTEN_WITHIN_MS = 15_000;
/** The others lost their connection for another reason: the network cuts some every second. */
const MOST = 0.9;
const THINK_MS = 220;
const DARK_WITHIN_MS = 5_000;

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
    devices = openDevices(desks, stage, random, { recorder, retries: profile.retries });
    for (const { conversation, name } of devices)
      history.write({ type: 'device', conversation, device: name });
    // A page that opens a long conversation shows only its end, and the checks compare whole conversations.
    const pages = devices.filter((device) => device instanceof PageDevice);
    if (!(await until(() => pages.every((page) => page.hasLoaded()), OPENED_WITHIN_MS)))
      throw new Error(`not all of ${pages.length} pages opened`);
    log(`${desks.length * profile.chatsPerDesk} conversations, ${devices.length} devices; load begins`);

    watchers = profile.watch
      ? await startWatchers({
          stage: { ...stage, origin: ORIGIN, signInPort: stage.aheadPort },
          desks,
          history,
          random: random.fork('watchers'),
          thorough: fullSize(false, true),
        })
      : undefined;
    const began = performance.now();
    load = startLoad(devices, {
      random: random.fork('load'),
      recorder,
      sends: wantedSends,
      thinkMs: THINK_MS,
    });
    const records = await causeFaults(profile, {
      stage,
      devices,
      random: random.fork('faults'),
      recorder,
      log,
    });
    for (const record of records) history.write({ type: 'fault', ...record });
    load.stop();
    const loadSeconds = (performance.now() - began) / 1_000;
    const cuts = await stage.lines.ask({ do: 'cuts' });

    await stage.lines.ask({ do: 'cutClients', after: Number.POSITIVE_INFINITY });
    const rest = await waitForRest(devices, recorder, profile.restSeconds * 1_000);
    log(rest.length === 0 ? 'all at rest' : `not at rest: ${rest.length} devices`);
    const darkMs = profile.finalMessages ? await finalMessages(stage, devices, recorder, log) : null;
    await watchers?.finish();
    await readEverything({ from: stage, desks, devices, history, random: random.fork('reading') });
    await history.close();
    const unacked = records.filter(({ kind }) => kind === 'gateway killed between commit and ack');
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
 * Every conversation has the product's page on the visitor's first device, the pipelining client on the second, and a
 * console, which is the product's at every second desk.
 */
function openDevices(
  desks: Desk[],
  stage: Stage,
  random: Random,
  options: { recorder: Recorder; retries: boolean },
): Device[] {
  const url = `ws://127.0.0.1:${stage.lines.clients}/live`;
  const common = { ...options, speed: CLOCK_SPEED, url, origin: ORIGIN, gatewayPorts: stage.gatewayPorts };
  return desks.flatMap((desk, number) => {
    const conversations = desk.chats.map(({ id }) => id);
    const name = `console ${number}`;
    const owner = { ...common, sender: 'owner' as const, token: desk.token, random: random.fork(name) };
    const consoles =
      number % 2 === 0
        ? openPage({ ...owner, name, conversations })
        : conversations.map(
            (conversation) =>
              new PipeliningClient({
                ...owner,
                name,
                conversation,
                random: random.fork(`${name} ${conversation}`),
              }),
          );
    const visitors = desk.chats.flatMap(({ id, firstToken, secondToken }, chat) => {
      const first = `page ${number}.${chat}`;
      const second = `second device ${number}.${chat}`;
      const visitor = { ...common, sender: 'visitor' as const };
      return [
        ...openPage({
          ...visitor,
          name: first,
          conversations: [id],
          token: firstToken,
          random: random.fork(first),
        }),
        new PipeliningClient({
          ...visitor,
          name: second,
          conversation: id,
          token: secondToken,
          random: random.fork(second),
        }),
      ];
    });
    return [...consoles, ...visitors];
  });
}

/** Causes one fault after another, with time to recover, until there were enough faults and messages. */
async function causeFaults(
  profile: Profile,
  parts: {
    stage: Stage;
    devices: Device[];
    random: Random;
    recorder: Recorder;
    log: (line: string) => void;
  },
): Promise<FaultRecord[]> {
  const { stage, devices, random, recorder, log } = parts;
  const records: FaultRecord[] = [];
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1_000;
  const plan = planFaults(random, profile.kinds);
  const mostAcked = (since: number) => () =>
    devices.filter((device) => recorder.ackedSince(device, since)).length >= MOST * devices.length;
  const recoverMs = profile.recoverSeconds * 1_000;
  await until(mostAcked(began), recoverMs);
  recorder.measuring = true;
  await sleep(1_000);
  while (seconds() < profile.seconds) {
    if (records.length >= profile.faults && recorder.ackedCount >= profile.sends) break;
    recorder.measuring = true;
    await sleep(random.between(500, 2_000));
    recorder.measuring = false;
    // Enough faults, but not enough messages: the load continues without faults.
    if (records.length >= profile.faults) continue;
    const kind = plan.next().value as FaultKind;
    const started = performance.now();
    const at = Date.now();
    const note = await faults[kind](stage.targets, random);
    const healed = performance.now();
    const recovered = await until(mostAcked(healed), recoverMs);
    const recoveredMs = recovered ? Math.round(performance.now() - healed) : null;
    records.push({ kind, at, tookMs: Math.round(healed - started), recoveredMs, note });
    log(
      `${seconds().toFixed(0).padStart(4)} s  fault ${String(records.length).padStart(2)}: ${kind}${note === '' ? '' : ` (${note})`}, ${((healed - started) / 1_000).toFixed(1)} s, acknowledged again after ${recoveredMs ?? `> ${recoverMs}`} ms; ${recorder.ackedCount} messages, ${await stage.lines.ask({ do: 'cuts' })} cuts`,
    );
    if (recoveredMs === null) {
      const stuck = devices.filter((device) => !recorder.ackedSince(device, healed));
      for (const device of stuck.slice(0, 5)) log(`        ${device.describe()}`);
    }
  }
  recorder.measuring = false;
  return records;
}

/** Returns the devices that have not sent and received everything. */
async function waitForRest(devices: Device[], recorder: Recorder, withinMs: number): Promise<string[]> {
  const unfinished = (): Device[] =>
    devices.filter((device) => !device.isIdle() || device.lastSeq() < recorder.head(device.conversation));
  await until(() => unfinished().length === 0, withinMs);
  return unfinished().map((device) => `${device.describe()} of ${recorder.head(device.conversation)}`);
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
    const got = await until(all, DARK_WITHIN_MS);
    const tookMs = Math.round(performance.now() - acked);
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
