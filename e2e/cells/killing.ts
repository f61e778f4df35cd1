import { isRetryable } from '@settee/protocol/calls/errorCodes';
import { checkFile } from '../proof/check.ts';
import type { Verdict } from '../proof/checker.ts';
import { readEverything } from '../proof/reading.ts';
import { Recorder } from '../proof/recorder.ts';
import { until } from '../proof/until.ts';
import { bringPeople, type People } from './people.ts';
import type { Stage } from './stage.ts';
import { FAST, FLOW_WITHIN_MS, type RunOutput, startRun, startWriting } from './writing.ts';

const THINK_MS = 400;

export const killProperties = {
  arrive: 'everyone reaches their cell through one address, and messages flow in both cells',
  dead: '[CELL-05] a killed cell acknowledges nothing',
  alive: '[CELL-05] the other cell keeps every connection and delivers messages meanwhile',
  back: '[CELL-05] when the killed cell is back, its pages connect by themselves and send what waited',
} as const;
type KillProperty = keyof typeof killProperties;

export type KillResult = { verdict: Verdict; live: Record<KillProperty, string[]>; meanwhile: number };

/** Kills the first cell while people write in both. `messages` is how many the other one acknowledges meanwhile. */
export async function killOne(
  stage: Stage,
  size: { desks: number; chatsPerDesk: number; messages: number; seed: number },
  { historyPath, log }: RunOutput,
): Promise<KillResult> {
  const run = startRun(historyPath, size);
  const { random, history } = run;
  const recorders = stage.cells.map(() => new Recorder(history)) as [Recorder, Recorder];
  const bring = (at: 0 | 1): Promise<People> =>
    bringPeople(stage, stage.cells[at], {
      ...size,
      random,
      recorder: recorders[at],
      speed: at === 0 ? FAST : 1,
    });
  const all: [People, People] = [await bring(0), await bring(1)];
  const [killed, other] = all;
  const live: Record<KillProperty, string[]> = { arrive: [], dead: [], alive: [], back: [] };
  const stopWriting = startWriting(
    run,
    all.map((people, at) => ({ people, recorder: recorders[at] as Recorder })),
    THINK_MS,
  );
  try {
    for (const [at, { lines, devices, cell }] of all.entries()) {
      const pages = new Set(devices.map(({ name }) => name)).size;
      if (!(await until(() => lines.there.size === pages, FLOW_WITHIN_MS)))
        live.arrive.push(`${cell.tag}: ${lines.there.size} of ${pages} pages connected`);
      const flows = await until(() => (recorders[at]?.ackedCount ?? 0) >= size.messages / 2, FLOW_WITHIN_MS);
      if (!flows) live.arrive.push(`${cell.tag}: ${recorders[at]?.ackedCount} messages acknowledged`);
    }
    log(`killing ${killed.cell.tag}: its gateway, PostgreSQL and NATS`);
    await killed.cell.kill();
    // An acknowledgement may still be on its way through the router. It arrives before the close.
    await until(() => killed.lines.there.size === 0, FLOW_WITHIN_MS);
    const [ofKilled, ofOther] = recorders.map(({ ackedCount }) => ackedCount) as [number, number];
    const flows = await until(() => recorders[1].ackedCount - ofOther >= size.messages, FLOW_WITHIN_MS);
    const meanwhile = recorders[1].ackedCount - ofOther;
    if (!flows) live.alive.push(`only ${meanwhile} messages were acknowledged meanwhile`);
    if (other.lines.lostCount > 0) live.alive.push(`${other.lines.lostCount} sockets were closed`);
    live.alive.push(...refusedForGood(recorders[1]));
    if (recorders[0].ackedCount !== ofKilled) live.dead.push('a message was acknowledged');
    log(`starting ${killed.cell.tag} again; ${meanwhile} messages in ${other.cell.tag} meanwhile`);
    await killed.cell.start();
    stopWriting();
    for (const [at, { devices }] of all.entries()) {
      const unfinished = () =>
        devices.filter(
          (device) => !device.isIdle() || device.lastSeq() < (recorders[at]?.head(device.conversation) ?? 0),
        );
      if (!(await until(() => unfinished().length === 0, FLOW_WITHIN_MS)))
        live.back.push(...unfinished().map((device) => device.describe()));
    }
    live.back.push(...all.flatMap(({ lines, cell }) => [...lines.failures, ...cell.unexpectedEnds]));
    for (const { cell, desks, devices } of all) {
      const from = { databaseUrl: cell.databaseUrl, gatewayPorts: [cell.port] };
      await readEverything({ from, desks, devices, history, random: random.fork(`reading ${cell.tag}`) });
    }
    await history.close();
    return { verdict: await checkFile(historyPath), live, meanwhile };
  } finally {
    stopWriting();
    for (const { devices } of all) for (const device of devices) device.stop();
  }
}

/** A busy machine may refuse a message for a moment; the page sends it again. */
export function refusedForGood({ refusals }: Recorder): string[] {
  return [...refusals]
    .filter(([code]) => !isRetryable(code as never))
    .map(([code, count]) => `refused ${count} × ${code}`);
}
