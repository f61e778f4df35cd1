import { freePortRange } from '../../tools/freePorts.ts';
import type { Setup } from './chat.ts';
import { type BenchGateway, startGateway } from './gateway.ts';
import { runOverload } from './overload.ts';
import { Path, type PathOptions, type PathStep, prepareSetup, type Reporter, type Stage } from './path.ts';
import { seedDesks } from './people.ts';
import { median } from './percentile.ts';
import { limitCpu } from './processes.ts';
import type { Engines } from './stage.ts';

const DESKS = 20;
/** For one gateway, and twice as many for two, so that each has the same load. */
const RATE = 1_500;
/** The share of a core for each gateway. Then PostgreSQL and the generator have enough for two of them. */
const CORE_SHARE = 0.15;
/** More than two gateways can store with it. Pages wait when their outbox is full. */
const TOO_MUCH = 12_000;
const WARM_RATE = 1_500;
const WARM_SECONDS = 4;

type PerMessage = Pick<PathStep['cpu'], 'gateway' | 'postgres' | 'nats'>;

/** CPU microseconds per message: medians of the rounds. */
export type GatewaysCpu = {
  rate: number;
  one: PerMessage;
  /** Two gateways, with the same rate and with twice the rate. */
  same: PerMessage;
  double: PerMessage;
  /** The share of the busier of the two. */
  busier: number;
};

export type GatewaysResult = {
  cpu: GatewaysCpu;
  coreShare: number;
  /** Stored messages per second of one and two gateways, each with this share of a core. Empty without cgroups. */
  limited: { one: number; two: number }[];
};

type Size = { rounds: number; path: PathOptions };

/** One gateway and two on one port (GATEWAYS=2), in turn. */
export function measureGateways(engines: Engines, size: Size, report: Reporter): Promise<GatewaysResult> {
  return engines.withDatabase(async (database) => {
    const desks = await seedDesks(database, 2 * DESKS);
    // One gateway and two have their own desks.
    const stages: [Stage, Stage] = [
      { engines, database, desks: desks.slice(0, DESKS) },
      { engines, database, desks: desks.slice(DESKS) },
    ];
    const cpu = await measureCpu(stages, size, report);
    report.log(`each gateway with ${100 * CORE_SHARE} % of a core`);
    const limited = await measureLimited(stages, size, report);
    return { cpu, coreShare: CORE_SHARE, limited };
  });
}

async function measureCpu(
  [first, second]: [Stage, Stage],
  size: Size,
  report: Reporter,
): Promise<GatewaysCpu> {
  const options = { ...size.path, onStep: report.step };
  const one = await Path.open(first, { ...options, gateways: 1 });
  const two = await Path.open(second, { ...options, gateways: 2 });
  const steps = { one: [] as PathStep[], same: [] as PathStep[], double: [] as PathStep[] };
  try {
    // The first messages compile the code.
    for (const path of [one, two]) await path.attempt(WARM_RATE);
    for (let turn = 0; turn < size.rounds; turn += 1) {
      steps.one.push(await one.attempt(RATE));
      steps.same.push(await two.attempt(RATE));
      steps.double.push(await two.attempt(2 * RATE));
    }
  } finally {
    await one.close();
    await two.close();
  }
  return {
    rate: RATE,
    one: perMessage(steps.one),
    same: perMessage(steps.same),
    double: perMessage(steps.double),
    busier: median(steps.double.map(({ shares }) => Math.max(...shares))),
  };
}

function perMessage(steps: PathStep[]): PerMessage {
  const of = (who: keyof PerMessage): number => median(steps.map(({ cpu }) => cpu[who]));
  return { gateway: of('gateway'), postgres: of('postgres'), nats: of('nats') };
}

async function measureLimited(
  [first, second]: [Stage, Stage],
  { rounds, path: { seconds } }: Size,
  report: Reporter,
): Promise<GatewaysResult['limited']> {
  const one = await open(first, 1);
  const two = await open(second, 2);
  const found: GatewaysResult['limited'] = [];
  const goodput = async ({ setup }: Opened): Promise<number> => {
    const order = [WARM_SECONDS, seconds].map((each) => ({ rate: TOO_MUCH, seconds: each }));
    return (await runOverload(setup, order)).phases[1]?.goodput ?? Number.NaN;
  };
  let quota: { remove(): void } | undefined;
  try {
    // The same, before it is limited.
    for (const each of [one, two]) await goodput(each);
    quota = limitCpu([...one.gateway.pids, ...two.gateway.pids], CORE_SHARE);
    for (let turn = 0; turn < rounds; turn += 1)
      found.push({ one: await goodput(one), two: await goodput(two) });
  } catch (error) {
    if (quota !== undefined) throw error;
    report.note(`the limited share of a core was not measured: ${String(error)}`);
  } finally {
    await one.gateway.stop();
    await two.gateway.stop();
    quota?.remove();
  }
  return found;
}

type Opened = { setup: Setup; gateway: BenchGateway };

async function open(stage: Stage, gateways: number): Promise<Opened> {
  const port = await freePortRange(1 + gateways);
  const setup = await prepareSetup(stage, port);
  return { setup, gateway: await startGateway({ ...stage, port, gateways }) };
}
