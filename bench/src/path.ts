import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePortRange } from '../../tools/freePorts.ts';
import type { FromGenerator, Setup } from './chat.ts';
import { type BenchGateway, startGateway } from './gateway.ts';
import type { Order, StepResult } from './generator.ts';
import { seedConversations, signInHandler, signInVisitor } from './people.ts';
import type { Spread } from './percentile.ts';
import { cpuOf, cpuOfFamily, startNode, stopChild } from './processes.ts';
import type { BenchDatabase, Engines } from './stage.ts';

const GENERATOR = fileURLToPath(new URL('generator.ts', import.meta.url));
const VISITORS = 200;
const P99_MAX_MS = 250;
const RATE_MIN = 0.97;
const CONNECT_MS = 30_000;

export type PathOptions = {
  rates: number[];
  /** Of each rate. */
  warmSeconds: number;
  seconds: number;
  /** How often to halve the interval between the best rate and the first that failed. */
  refinements: number;
  /** Flags for the gateway's Node, such as --cpu-prof. */
  nodeFlags?: string[];
  /** Processes that share the port. */
  gateways?: number;
};

/** CPU microseconds. */
type Cpu = Record<'gateway' | 'postgres' | 'nats' | 'generator', number>;

export type PathStep = StepResult & {
  asked: number;
  sustained: boolean;
  /** For each message. */
  cpu: Cpu;
  /** The share of each gateway in their CPU time. */
  shares: number[];
  /** Messages per call of the append function; NaN if PostgreSQL does not count the calls. */
  batch: number;
};

/** One climb: increasing rates until the product falls behind. */
export type PathRound = { steps: PathStep[]; best: PathStep | undefined };

export type Stage = { engines: Engines; database: BenchDatabase; desks: string[] };

/** What a measurement tells while it runs. */
export type Reporter = { step(step: PathStep): void; log(line: string): void; note(note: string): void };

type OnStep = { onStep: (step: PathStep) => void };

/** Socket, batch, commit, NATS and the other side's socket: one server, which stays for all rounds. */
export class Path {
  readonly #stage: Stage;
  readonly #setup: Setup;
  readonly #gateway: BenchGateway;
  readonly #options: PathOptions & OnStep;
  #generator: ChildProcess | undefined;

  private constructor(stage: Stage, setup: Setup, gateway: BenchGateway, options: PathOptions & OnStep) {
    this.#stage = stage;
    this.#setup = setup;
    this.#gateway = gateway;
    this.#options = options;
  }

  static async open(stage: Stage, options: PathOptions & OnStep): Promise<Path> {
    const { gateways, nodeFlags } = options;
    const port = await freePortRange(1 + (gateways ?? 0));
    const setup = await prepareSetup(stage, port);
    const gateway = await startGateway({ ...stage, port, gateways, nodeFlags });
    return new Path(stage, setup, gateway, options);
  }

  /** Measures one rate. A generator or a socket that fails is part of the result. */
  async attempt(rate: number): Promise<PathStep> {
    const step = await this.#measure(rate).catch((error: unknown) => failedStep(rate, reason(error)));
    this.#options.onStep(step);
    // Refused messages would have to be sent again first, so the next step starts with new sockets.
    if (!step.sustained) await this.#stopGenerator();
    return step;
  }

  /** Skips rates below `from`, which an earlier round sustained easily. */
  async climb(from = 0): Promise<PathRound> {
    const steps: PathStep[] = [];
    /** A rate fails only if it fails twice, because the machine may be disturbed once. */
    const sustains = async (rate: number): Promise<boolean> => {
      for (let tries = 2; tries > 0; tries -= 1) {
        const step = await this.attempt(rate);
        steps.push(step);
        if (step.sustained) return true;
      }
      return false;
    };
    let good = 0;
    let bad: number | undefined;
    for (const rate of this.#options.rates.filter((each) => each >= from)) {
      if (await sustains(rate)) good = rate;
      else {
        bad = rate;
        break;
      }
    }
    for (let left = this.#options.refinements; left > 0 && bad !== undefined; left -= 1) {
      const middle = Math.round((good + bad) / 2);
      if (await sustains(middle)) good = middle;
      else bad = middle;
    }
    const best = steps
      .filter((step) => step.sustained)
      .reduce<PathStep | undefined>(
        (most, step) => (most !== undefined && sustainedRate(most) >= sustainedRate(step) ? most : step),
        undefined,
      );
    return { steps, best };
  }

  async close(): Promise<void> {
    await this.#stopGenerator();
    await this.#gateway.stop();
  }

  async #measure(rate: number): Promise<PathStep> {
    const { warmSeconds, seconds } = this.#options;
    const generator = this.#generator ?? (await startGenerator(GENERATOR, this.#setup));
    this.#generator = generator;
    const samples: { cpu: Cpu; ofEach: number[] }[] = [];
    const callsBefore = await appendCalls(this.#stage.database);
    const finished = answerOf<StepResult>(generator, () => {
      samples.push({ cpu: this.#cpu(generator), ofEach: this.#gateway.pids.map(cpuOf) });
    });
    generator.send({ rate, warmSeconds, seconds } satisfies Order);
    const result = await finished;
    if (result === undefined) throw new Error('the generator measured nothing');
    const calls = (await appendCalls(this.#stage.database)) - callsBefore;
    const [before, after] = samples;
    const perMessage = (who: keyof Cpu): number =>
      ((after?.cpu[who] ?? Number.NaN) - (before?.cpu[who] ?? Number.NaN)) / (result.received || Number.NaN);
    return {
      ...result,
      asked: rate,
      sustained:
        result.receipt.p99 <= P99_MAX_MS && result.rate >= rate * RATE_MIN && result.closed.length === 0,
      cpu: {
        gateway: perMessage('gateway'),
        postgres: perMessage('postgres'),
        nats: perMessage('nats'),
        generator: perMessage('generator'),
      },
      shares: sharesOf(before?.ofEach, after?.ofEach),
      batch: calls > 0 ? result.sent / calls : Number.NaN,
    };
  }

  /** So far. */
  #cpu(generator: ChildProcess): Cpu {
    const { pids } = this.#stage.engines;
    return {
      gateway: cpuOfFamily(this.#gateway.child.pid),
      postgres: cpuOfFamily(pids.postgres),
      nats: cpuOf(pids.nats),
      generator: cpuOf(generator.pid),
    };
  }

  async #stopGenerator(): Promise<void> {
    if (this.#generator !== undefined) await stopChild(this.#generator);
    this.#generator = undefined;
  }
}

/** Messages that queued during the warm-up and arrived in the window do not count. */
export function sustainedRate({ rate, asked }: PathStep): number {
  return Math.min(rate, asked);
}

/** Visitors of all desks, and a handler for each desk who watches them. */
export async function prepareSetup({ database, desks }: Stage, port: number): Promise<Setup> {
  const claimed = await seedConversations(database, desks, Array<number>(VISITORS).fill(0));
  const byDesk = Map.groupBy(claimed, ({ alias }) => alias);
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    visitors: await Promise.all(claimed.map((each) => signInVisitor(port, each))),
    handlers: await Promise.all(
      [...byDesk].map(([alias, own]) =>
        signInHandler(
          port,
          database,
          alias,
          own.map(({ conversationId }) => conversationId),
        ),
      ),
    ),
  };
}

/** A saturated gateway may refuse new sockets for a while, so this tries again, as a page does. */
export async function startGenerator(program: string, setup: Setup): Promise<ChildProcess> {
  const deadline = performance.now() + CONNECT_MS;
  for (;;) {
    const child = startNode([program]);
    const ready = answerOf(child);
    child.send(setup);
    try {
      await ready;
      return child;
    } catch (error) {
      await stopChild(child);
      if (performance.now() > deadline) throw error;
      await sleep(1_000);
    }
  }
}

function failedStep(asked: number, why: string): PathStep {
  const none: Spread = { p50: Number.NaN, p99: Number.NaN };
  return {
    ...{ asked, sustained: false, received: 0, rate: 0, receipt: none, ack: none, late: none, sent: 0 },
    ...{ refused: 0, lost: 0, unacked: 0, duplicated: 0, outOfOrder: 0, closed: [why], batch: Number.NaN },
    shares: [],
    cpu: { gateway: Number.NaN, postgres: Number.NaN, nats: Number.NaN, generator: Number.NaN },
  };
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function sharesOf(before: number[] = [], after: number[] = []): number[] {
  const used = after.map((cpu, index) => cpu - (before[index] ?? 0));
  const total = used.reduce((sum, each) => sum + each, 0);
  return used.map((each) => each / total);
}

/** Resolves when the generator is ready or has a result. Reports the start and end of the window. */
export function answerOf<Result>(
  child: ChildProcess,
  onWindow: () => void = () => {},
): Promise<Result | undefined> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`the generator ended with ${code}`));
    const onMessage = (message: FromGenerator<Result>): void => {
      if (message.kind === 'windowStart' || message.kind === 'windowEnd') {
        onWindow();
        return;
      }
      child.off('message', onMessage).off('exit', onExit);
      if (message.kind === 'failed') reject(new Error(message.why));
      else resolve(message.kind === 'result' ? message.result : undefined);
    };
    child.on('message', onMessage).on('exit', onExit);
  });
}

/** PostgreSQL updates its counts about once a second, which is precise enough for a step. */
async function appendCalls(database: BenchDatabase): Promise<number> {
  const [row] = await database.run<{ calls: string }>(
    `select calls from pg_stat_user_functions where funcname = 'append_messages'`,
  );
  return Number(row?.calls ?? 0);
}

/**
 * Errors that must not happen at any rate. Above its limit the product may refuse messages or leave them
 * unacknowledged.
 */
export function faultsOf(step: PathStep): string[] {
  const found: [number, string][] = [
    [step.lost, 'acknowledged and not received'],
    [step.duplicated, 'received twice'],
    [step.outOfOrder, 'out of order'],
    [step.closed.length, `sockets closed (${[...new Set(step.closed)].join(', ')})`],
    [step.sustained ? step.refused : 0, 'refused'],
    [step.sustained ? step.unacked : 0, 'not acknowledged'],
  ];
  return found
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what} at ${step.asked} a second`);
}
