import { setTimeout as sleep } from 'node:timers/promises';
import { isRetryable } from '@settee/protocol/calls/errorCodes';
import { checkFile } from '../proof/check.ts';
import type { Verdict } from '../proof/checker.ts';
import { HistoryWriter } from '../proof/history.ts';
import { startLoad } from '../proof/load.ts';
import { openPage, type PageDevice } from '../proof/page.ts';
import { Random } from '../proof/random.ts';
import { readEverything } from '../proof/reading.ts';
import type { Device } from '../proof/recorder.ts';
import { until } from '../proof/until.ts';
import { createWorld, type Desk } from '../proof/world.ts';
import { watchDesks } from './deskWatch.ts';
import { BACK_WITHIN_MS, type LiveProperty } from './promises.ts';
import { Returns } from './returns.ts';
import { ORIGIN, type Stage, setStage } from './stage.ts';
import { TimedRecorder } from './timedRecorder.ts';
import { Upgrade } from './upgrade.ts';

/** What is done to the installation, in this order. */
export type Act = 'restart A' | 'restart B' | 'begin' | 'finish';

export type Profile = {
  seed: number;
  desks: number;
  chatsPerDesk: number;
  /** The folders whose processes run: before, and after. */
  previous: string;
  next: string;
  acts: readonly Act[];
  patienceMs: number;
  /** How fast the pages' clocks run. */
  speed: number;
  historyPath: string;
  keep: boolean;
};

export type RunResult = {
  verdict: Verdict;
  live: Record<LiveProperty, string[]>;
  returns: Returns;
  recorder: TimedRecorder;
  upgrade: Upgrade;
};

/** Between two messages of one device, on average. */
const THINK_MS = 1_500;
const REST_WITHIN_MS = 20_000;
const ARRIVE_WITHIN_MS = 30_000;

export async function run(profile: Profile, say: (line: string) => void): Promise<RunResult> {
  const random = new Random(profile.seed);
  const history = new HistoryWriter(profile.historyPath);
  history.write({ type: 'run', seed: profile.seed, wantedSends: 200, wantedFaults: 0 });
  const recorder = new TimedRecorder(history);
  const returns = new Returns();
  const stage = await setStage(profile.previous, profile.keep);
  let devices: PageDevice[] = [];
  let load: ReturnType<typeof startLoad> | undefined;
  try {
    const { port } = stage.balancer;
    const desks = await createWorld({ ...profile, build: profile.previous, env: stage.env, port });
    devices = openDevices(desks, stage, { random, recorder, returns, speed: profile.speed });
    for (const { conversation, name } of devices) {
      history.write({ type: 'device', conversation, device: name });
    }
    const pages = new Set(devices.map(({ name }) => name)).size;
    if (!(await until(() => returns.arrived() === pages, ARRIVE_WITHIN_MS)))
      throw new Error('not all came in');
    say(`${desks.length * profile.chatsPerDesk} conversations, ${devices.length} devices; load begins`);

    const desksSeen = await watchDesks(stage.databaseUrl);
    load = startLoad(devices, { random: random.fork('load'), recorder, sends: 1e9, thinkMs: THINK_MS });
    const upgrade = new Upgrade({ stage, returns, recorder, patienceMs: profile.patienceMs, say });
    const phones = devices.filter(({ name }) => name.startsWith('second device'));
    const acts: Record<Act, () => Promise<void>> = {
      'restart A': () => upgrade.restart(stage.sides[0]),
      'restart B': () => upgrade.restart(stage.sides[1]),
      begin: () => upgrade.begin(profile.next),
      finish: () => upgrade.finish(profile.next, phones),
    };
    await sleep(1_500);
    for (const act of profile.acts) await acts[act]();
    await until(() => returns.away().length === 0, BACK_WITHIN_MS);
    load.stop();
    const offline = await desksSeen.stop();
    const rest = await comeToRest(devices, recorder);
    const from = { databaseUrl: stage.databaseUrl, gatewayPorts: [port] };
    await readEverything({ from, desks, devices, history, random: random.fork('reading') });
    await history.close();
    // Between them, the two restarts send everybody away.
    const sendsAll = profile.acts.includes('restart A') && profile.acts.includes('restart B');
    const untried = sendsAll ? returns.neverSentAway() : [];
    const refusals = [...recorder.refusals.keys()].filter((code) => !isRetryable(code as never));
    return {
      verdict: await checkFile(profile.historyPath),
      live: {
        back: [...returns.late(BACK_WITHIN_MS), ...untried],
        exits: upgrade.badExits,
        clients: [...returns.failures, ...refusals.map((code) => `refused for good: ${code}`)],
        presence: [
          ...offline,
          ...returns.toldOffline,
          ...untried.filter((page) => page.startsWith('console')),
        ],
        unready: upgrade.tooReady,
        stall: upgrade.stalls,
        sides: upgrade.lonely,
        rest,
        ends: [...stage.sides.map(({ process }) => process), stage.worker].flatMap(
          (each) => each.unexpectedEnds,
        ),
      },
      returns,
      recorder,
      upgrade,
    };
  } finally {
    // First, because a stopped device must not write.
    load?.stop();
    for (const device of devices) device.stop();
    await stage.close();
  }
}

/** A page on each of the visitor's two devices and a console for each desk, all of them the product's own. */
function openDevices(
  desks: Desk[],
  stage: Stage,
  parts: { random: Random; recorder: TimedRecorder; returns: Returns; speed: number },
): PageDevice[] {
  const { random, recorder, returns: watch, speed } = parts;
  const url = `ws://127.0.0.1:${stage.balancer.port}/live`;
  const common = { url, origin: ORIGIN, recorder, watch, speed, retries: false, gatewayPorts: [] };
  return desks.flatMap((desk, number) => {
    const open = (name: string, sender: 'owner' | 'visitor', token: string, conversations: string[]) =>
      openPage({ ...common, name, sender, token, conversations, random: random.fork(name) });
    return [
      ...open(
        `console ${number}`,
        'owner',
        desk.token,
        desk.chats.map(({ id }) => id),
      ),
      ...desk.chats.flatMap(({ id, firstToken, secondToken }, chat) => [
        ...open(`page ${number}.${chat}`, 'visitor', firstToken, [id]),
        ...open(`second device ${number}.${chat}`, 'visitor', secondToken, [id]),
      ]),
    ];
  });
}

async function comeToRest(devices: Device[], recorder: TimedRecorder): Promise<string[]> {
  const restless = (): Device[] =>
    devices.filter((device) => !device.isIdle() || device.lastSeq() < recorder.head(device.conversation));
  await until(() => restless().length === 0, REST_WITHIN_MS);
  return restless().map((device) => `${device.describe()} of ${recorder.head(device.conversation)}`);
}
