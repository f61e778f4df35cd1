import { fileURLToPath } from 'node:url';
import { freePort } from '../../tools/freePorts.ts';
import type { Setup } from './chat.ts';
import { withGateway } from './gateway.ts';
import type { OverloadOrder, OverloadPhase, OverloadResult } from './overloadGenerator.ts';
import { answerOf, prepareSetup, type Stage, startGenerator } from './path.ts';
import { median, percentile, type Spread, spread } from './percentile.ts';
import { stopChild } from './processes.ts';

const GENERATOR = fileURLToPath(new URL('overloadGenerator.ts', import.meta.url));
/** Multiples of the sustainable rate. */
const FACTORS = [1, 2, 3];
/** The share of the sustainable rate that is asked for after each of them. */
const CALM = 0.5;
/** The machine's speed changes from minute to minute, so the factors take turns. */
const ROUNDS = 3;
const SLICE_MS = 500;
/** Latency is normal again below this multiple of the calm p99, or below the floor, which is noise. */
const NORMAL = 2;
const NORMAL_FLOOR_MS = 50;

/** One rate, over all rounds. */
export type OverloadStep = Pick<OverloadPhase, 'refused' | 'unsent'> & {
  rate: number;
  factor: number;
  /** Acknowledged messages per second: the median of the rounds. */
  goodput: number;
  ack: Spread;
  /** Seconds afterwards until latency was normal for good, in the median round. */
  recovered: number;
};
export type Overload = Omit<OverloadResult, 'phases'> & { steps: OverloadStep[]; most: number };

/** Asks for more than the sustainable rate, and for less again. */
export async function measureOverload(
  stage: Stage,
  { sustainable, seconds }: { sustainable: number; seconds: number },
): Promise<Overload> {
  const port = await freePort();
  const setup = await prepareSetup(stage, port);
  return withGateway({ ...stage, port }, async () => {
    const calm = { rate: CALM * sustainable, seconds };
    const round = FACTORS.flatMap((factor) => [{ rate: factor * sustainable, seconds }, calm]);
    const order = [calm, ...Array.from({ length: ROUNDS }, () => round).flat()];
    return evaluatePhases(await runOverload(setup, order), sustainable);
  });
}

/** Asks for these rates, one after another. */
export async function runOverload(setup: Setup, order: OverloadOrder): Promise<OverloadResult> {
  const generator = await startGenerator(GENERATOR, setup);
  try {
    const finished = answerOf<OverloadResult>(generator);
    generator.send(order);
    return (await finished) as OverloadResult;
  } finally {
    await stopChild(generator);
  }
}

function evaluatePhases(
  { phases: [calm, ...phases], ...rest }: OverloadResult,
  sustainable: number,
): Overload {
  const normal = Math.max(NORMAL_FLOOR_MS, NORMAL * spread(calm?.acks ?? []).p99);
  const steps = FACTORS.map((factor, at): OverloadStep => {
    const ofFactor = (_: unknown, index: number): boolean => index % (2 * FACTORS.length) === 2 * at;
    const own = phases.filter(ofFactor);
    const after = phases.slice(1).filter(ofFactor);
    return {
      rate: factor * sustainable,
      factor,
      goodput: median(own.map(({ goodput }) => goodput)),
      refused: sum(own.map(({ refused }) => refused)),
      unsent: sum(own.map(({ unsent }) => unsent)),
      ack: spread(own.flatMap(({ acks }) => acks)),
      recovered: median(after.map((phase) => secondsUntilNormal(phase, normal))),
    };
  });
  return { ...rest, steps, most: Math.max(...steps.map(({ goodput }) => goodput)) };
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The end of the last slice in which the p99 was too high. */
function secondsUntilNormal({ acks, ackedAt }: OverloadPhase, normal: number): number {
  const slices = Map.groupBy(ackedAt.keys(), (at) => Math.floor((ackedAt[at] ?? 0) / SLICE_MS));
  let last = 0;
  for (const [slice, indices] of slices) {
    const p99 = percentile(
      indices.map((at) => acks[at] ?? 0),
      0.99,
    );
    if (p99 > normal) last = Math.max(last, ((slice + 1) * SLICE_MS) / 1_000);
  }
  return last;
}
