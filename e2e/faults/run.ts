import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkFile } from '../proof/check.ts';
import type { Verdict } from '../proof/checker.ts';
import { HistoryWriter } from '../proof/history.ts';
import { startLoad } from '../proof/load.ts';
import { openPage } from '../proof/page.ts';
import { Random } from '../proof/random.ts';
import { readEverything } from '../proof/reading.ts';
import { type Device, Recorder } from '../proof/recorder.ts';
import { until } from '../proof/until.ts';
import { createWorld, type Desk } from '../proof/world.ts';
import { PipeliningClient } from './client.ts';
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
  /** The load ends here at the latest, whatever was reached. */
  seconds: number;
  /** How long the clients may take to come to rest after everything healed. */
  restSeconds: number;
  /** Whether devices send messages again without need. */
  retries: boolean;
  /** Whether the run ends with messages that only the sweep can bring. */
  lastWords: boolean;
  /** The folder whose gateways run. */
  build: string;
  /** Done to the migrated database before anything uses it. */
  sql: string;
  historyPath: string;
  keep: boolean;
};

/** What only the run itself can see; the rest is the checker's. */
export const liveProperties = {
  rest: 'after everything healed, every outbox empties and every device catches up in time',
  dark: 'with NATS gone, whoever is connected has everything within 5 s',
  clients: 'no client is refused for good or sent away',
  gateways: 'no gateway ends by itself',
  unheard: 'a gateway was killed with commits that it had not heard of',
} as const;
export type LiveProperty = keyof typeof liveProperties;

export type FaultRecord = { kind: FaultKind; tookMs: number; recoveredMs: number | null; note: string };
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

/** The product waits up to half a minute before it comes back; a run of minutes cannot. */
const CLOCK_SPEED = 5;
const ROOT = resolve(import.meta.dirname, '../..');
const RECOVERS_WITHIN_MS = 15_000;
/** The rest have lost their lines for another reason: the network cuts some every second. */
const MOST = 0.9;
const THINK_MS = 220;
const DARK_WITHIN_MS = 5_000;

export async function run(profile: Profile, say: (line: string) => void): Promise<RunResult> {
  const random = new Random(profile.seed);
  const history = new HistoryWriter(profile.historyPath);
  const { seed, sends: wantedSends, faults: wantedFaults } = profile;
  history.write({ type: 'run', seed, wantedSends, wantedFaults });
  const recorder = new Recorder(history);
  const stage = await setStage({ ...profile, random: random.fork('client lines') });
  let devices: Device[] = [];
  let load: ReturnType<typeof startLoad> | undefined;
  try {
    const desks = await createWorld({ ...stage, ...profile, build: ROOT, port: stage.aheadPort });
    devices = openDevices(desks, stage, random, { recorder, retries: profile.retries });
    for (const { conversation, name } of devices)
      history.write({ type: 'device', conversation, device: name });
    say(`${desks.length * profile.chatsPerDesk} conversations, ${devices.length} devices; load begins`);

    const began = performance.now();
    load = startLoad(devices, {
      random: random.fork('load'),
      recorder,
      sends: wantedSends,
      thinkMs: THINK_MS,
    });
    const records = await breakThings(profile, {
      stage,
      devices,
      random: random.fork('faults'),
      recorder,
      say,
    });
    for (const record of records) history.write({ type: 'fault', ...record });
    load.stop();
    const loadSeconds = (performance.now() - began) / 1_000;
    const cuts = await stage.lines.ask({ do: 'cuts' });

    await stage.lines.ask({ do: 'calm' });
    const rest = await comeToRest(devices, recorder, profile.restSeconds * 1_000);
    say(rest.length === 0 ? 'all at rest' : `not at rest: ${rest.length} devices`);
    const darkMs = profile.lastWords ? await lastWords(stage, devices, recorder, say) : null;
    await readEverything({ from: stage, desks, devices, history, random: random.fork('reading') });
    await history.close();
    const unheard = records.filter(({ kind }) => kind === 'gateway killed between commit and ack');
    return {
      verdict: await checkFile(profile.historyPath),
      live: {
        rest,
        dark: darkMs === null ? ['some device had not read everything by then'] : [],
        clients: recorder.troubles,
        gateways: stage.targets.gateways.flatMap((gateway) => gateway.unexpectedEnds),
        unheard:
          unheard.length > 0 && unheard.every(({ note }) => note.includes(' 0 commits'))
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
    await stage.close();
  }
}

/**
 * Every conversation has the product's page on the visitor's first device, the pipelining client on the
 * second, and a console: the product's own at every other desk.
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

/** One fault after another, each given time to heal, until enough faults happened to enough messages. */
async function breakThings(
  profile: Profile,
  parts: {
    stage: Stage;
    devices: Device[];
    random: Random;
    recorder: Recorder;
    say: (line: string) => void;
  },
): Promise<FaultRecord[]> {
  const { stage, devices, random, recorder, say } = parts;
  const records: FaultRecord[] = [];
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1_000;
  const plan = planFaults(random, profile.kinds);
  const mostAcked = (since: number) => () =>
    devices.filter((device) => recorder.ackedSince(device, since)).length >= MOST * devices.length;
  await until(mostAcked(began), RECOVERS_WITHIN_MS);
  recorder.measuring = true;
  await sleep(1_000);
  while (seconds() < profile.seconds) {
    if (records.length >= profile.faults && recorder.ackedCount >= profile.sends) break;
    recorder.measuring = true;
    await sleep(random.between(500, 2_000));
    recorder.measuring = false;
    // Enough of faults, not yet of messages: the rest of the load runs in health.
    if (records.length >= profile.faults) continue;
    const kind = plan.next().value as FaultKind;
    const started = performance.now();
    const note = await faults[kind](stage.targets, random);
    const healed = performance.now();
    const recovered = await until(mostAcked(healed), RECOVERS_WITHIN_MS);
    const recoveredMs = recovered ? Math.round(performance.now() - healed) : null;
    records.push({ kind, tookMs: Math.round(healed - started), recoveredMs, note });
    say(
      `${seconds().toFixed(0).padStart(4)} s  fault ${String(records.length).padStart(2)}: ${kind}${note === '' ? '' : ` (${note})`}, ${((healed - started) / 1_000).toFixed(1)} s, acknowledged again after ${recoveredMs ?? '> 15000'} ms; ${recorder.ackedCount} messages, ${await stage.lines.ask({ do: 'cuts' })} cuts`,
    );
    if (recoveredMs === null) {
      const stuck = devices.filter((device) => !recorder.ackedSince(device, healed));
      for (const device of stuck.slice(0, 5)) say(`        ${device.describe()}`);
    }
  }
  recorder.measuring = false;
  return records;
}

/** Empty when every device has sent everything and read everything that anybody was promised. */
async function comeToRest(devices: Device[], recorder: Recorder, withinMs: number): Promise<string[]> {
  const restless = (): Device[] =>
    devices.filter((device) => !device.isIdle() || device.lastSeq() < recorder.head(device.conversation));
  await until(() => restless().length === 0, withinMs);
  return restless().map((device) => `${device.describe()} of ${recorder.head(device.conversation)}`);
}

/**
 * The last messages are written while there is no NATS, and no later message will reveal that one is
 * missing: only the sweep can bring them. Milliseconds from the last ack to the last receipt.
 */
async function lastWords(
  stage: Stage,
  devices: Device[],
  recorder: Recorder,
  say: (line: string) => void,
): Promise<number | null> {
  await stage.targets.nats.kill();
  try {
    const written = (): Promise<boolean> =>
      until(() => devices.every((device) => device.unacked() === 0), RECOVERS_WITHIN_MS);
    for (const device of devices) device.write();
    if (!(await written())) return null;
    // One more from one device of each conversation: an ack of their own would tell the others what they miss.
    for (const device of new Map(devices.map((each) => [each.conversation, each])).values()) device.write();
    if (!(await written())) return null;
    const acked = performance.now();
    const all = (): boolean =>
      devices.every((device) => device.lastSeq() >= recorder.head(device.conversation));
    const got = await until(all, DARK_WITHIN_MS);
    const tookMs = Math.round(performance.now() - acked);
    say(
      got ? `with NATS gone, all caught up in ${tookMs} ms` : 'with NATS gone, not everyone got everything',
    );
    // The retries of the last words still come: the reading must not race them.
    await until(() => devices.every((device) => device.isIdle()), DARK_WITHIN_MS);
    return got ? tookMs : null;
  } finally {
    await stage.targets.nats.start();
  }
}
