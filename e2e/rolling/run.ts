import { setTimeout as sleep } from 'node:timers/promises';
import { isRetryable } from '@settee/protocol/calls/errorCodes';
import { checkFile } from '../proof/check.ts';
import type { Verdict } from '../proof/checker.ts';
import { waitForRest } from '../proof/devices.ts';
import { HistoryWriter } from '../proof/history.ts';
import { startLoad } from '../proof/load.ts';
import { openPage, type PageDevice } from '../proof/page.ts';
import { Random } from '../proof/random.ts';
import { readEverything } from '../proof/reading.ts';
import { TimedRecorder } from '../proof/timedRecorder.ts';
import { until } from '../proof/until.ts';
import { createWorld, type Desk } from '../proof/world.ts';
import { watchDesks } from './deskWatch.ts';
import { BACK_WITHIN_MS, type LiveProperty } from './properties.ts';
import { Returns } from './returns.ts';
import { ORIGIN, type Stage, setStage } from './stage.ts';
import { Upgrade } from './upgrade.ts';

/** A step of the run. */
export type Act = 'restart A' | 'restart B' | 'begin' | 'finish';

export type Profile = {
  seed: number;
  desks: number;
  chatsPerDesk: number;
  /** The folders of the two releases. */
  previous: string;
  next: string;
  acts: readonly Act[];
  patienceMs: number;
  /** The speed of the pages' clocks. */
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

/** The average time between two messages of a device. */
const THINK_MS = 1_500;
const REST_WITHIN_MS = 60_000;
const ARRIVE_WITHIN_MS = 60_000;

export async function run(profile: Profile, log: (line: string) => void): Promise<RunResult> {
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
      throw new Error('some pages did not connect');
    log(`${desks.length * profile.chatsPerDesk} conversations, ${devices.length} devices; load begins`);

    const desksSeen = await watchDesks(stage.databaseUrl);
    load = startLoad(devices, { random: random.fork('load'), recorder, sends: 1e9, thinkMs: THINK_MS });
    const upgrade = new Upgrade({ stage, returns, recorder, patienceMs: profile.patienceMs, log });
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
    const rest = await waitForRest(devices, recorder, REST_WITHIN_MS);
    const from = { databaseUrl: stage.databaseUrl, gatewayPorts: [port] };
    await readEverything({ from, desks, devices, history, random: random.fork('reading') });
    await history.close();
    // Together, the two restarts disconnect every page.
    const sendsAll = profile.acts.includes('restart A') && profile.acts.includes('restart B');
    const untried = sendsAll ? returns.neverDisconnected() : [];
    const refusals = [...recorder.refusals.keys()].filter((code) => !isRetryable(code as never));
    return {
      verdict: await checkFile(profile.historyPath),
      live: {
        back: [...returns.late(BACK_WITHIN_MS), ...untried],
        exits: upgrade.badExits,
        clients: [...returns.failures, ...refusals.map((code) => `permanently refused: ${code}`)],
        presence: [
          ...offline,
          ...returns.shownOffline,
          ...untried.filter((page) => page.startsWith('console')),
        ],
        unready: upgrade.readyTooEarly,
        stall: upgrade.stalls,
        sides: upgrade.unusedReleases,
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

/** A page on each of the visitor's two devices and a console for each desk. All use the product's client. */
function openDevices(
  desks: Desk[],
  stage: Stage,
  parts: { random: Random; recorder: TimedRecorder; returns: Returns; speed: number },
): PageDevice[] {
  const { random, recorder, returns: watch, speed } = parts;
  const url = `ws://127.0.0.1:${stage.balancer.port}/live`;
  const common = { url, origin: ORIGIN, recorder, watch, speed, retries: 0, gatewayPorts: [] };
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
