import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePortRange } from '../../tools/freePorts.ts';
import { startNode, stopChild } from './children.ts';
import { type Cpu, cpuOf, cpuOfFamily } from './cpu.ts';
import { startGateway } from './gateway.ts';
import type { Setup } from './generator.ts';
import { seedConversations, signInHandler, signInVisitor } from './people.ts';
import type { Spread } from './percentile.ts';
import type { BenchDatabase, Engines } from './stage.ts';
import type { GeneratorMessage, Order, StepResult } from './step.ts';
import { TEXT } from './text.ts';

const GENERATOR = fileURLToPath(new URL('generator.ts', import.meta.url));
const VISITORS = 200;
const HANDLERS = 20;
const P99_MAX_MS = 250;
const RATE_MIN = 0.97;
const CONNECT_MS = 30_000;

export type StepTimes = { warmSeconds: number; seconds: number };

export type PathOptions = StepTimes & {
  rates: number[];
  /** How often to halve the interval between the best rate and the first that failed. */
  refinements: number;
  /** Flags for the gateway's Node, such as --cpu-prof. */
  nodeFlags?: string[];
  text?: string;
  /** Processes that share the port. */
  gateways?: number;
};

/** A running server, and the generator that loads it. */
export type Target = {
  generator: string;
  setup: object;
  /** CPU time so far. `gateway` stands for the server, whichever it is. */
  cpu(): Omit<Cpu, 'generator'>;
  /** The processes that serve, to compare their shares. */
  pids?: readonly number[];
  /** How often the append function was called; 0 if the server has none. */
  calls(): Promise<number>;
  stop(): Promise<void>;
};

export type PathStep = StepResult & {
  asked: number;
  sustained: boolean;
  /** Microseconds of CPU time per message. */
  cpu: Cpu;
  /** The share of each gateway in their CPU time. */
  shares: number[];
  /** Messages per call of the append function; NaN if PostgreSQL does not count the calls. */
  batch: number;
};

/** One climb: increasing rates until the product falls behind. */
export type PathRound = { steps: PathStep[]; best: PathStep | undefined };

export type SetteeStage = { engines: Engines; database: BenchDatabase; desks: readonly string[] };

/** From a sender's socket to the other side's: one server, which stays for all rounds. */
export class Path {
  readonly #target: Target;
  readonly #options: PathOptions;
  readonly #onStep: (step: PathStep) => void;
  #generator: ChildProcess | undefined;

  constructor(target: Target, options: PathOptions & { onStep: (step: PathStep) => void }) {
    this.#target = target;
    this.#options = options;
    this.#onStep = options.onStep;
  }

  /** Socket, batch, commit, NATS and the other side's socket. */
  static async open(
    stage: SetteeStage,
    options: PathOptions & { onStep: (step: PathStep) => void },
  ): Promise<Path> {
    return new Path(await startSettee(stage, options), options);
  }

  /** Measures one rate. A generator or a socket that fails is part of the result. */
  async attempt(rate: number, times: StepTimes = this.#options): Promise<PathStep> {
    const step = await this.#measure(rate, times).catch((error: unknown) => failedStep(rate, reason(error)));
    this.#onStep(step);
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
    const rates = this.#options.rates.filter((rate) => rate >= from);
    await raiseRate({ ...this.#options, rates }, sustains);
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
    await this.#target.stop();
  }

  async #measure(rate: number, { warmSeconds, seconds }: StepTimes): Promise<PathStep> {
    this.#generator ??= await startGenerator(this.#target);
    return runStep(this.#target, this.#generator, { rate, warmSeconds, seconds });
  }

  async #stopGenerator(): Promise<void> {
    if (this.#generator !== undefined) await stopChild(this.#generator);
    this.#generator = undefined;
  }
}

export async function startSettee(
  stage: SetteeStage,
  options: Pick<PathOptions, 'nodeFlags' | 'text' | 'gateways'>,
): Promise<Target & { pid: number | undefined; port: number }> {
  const { engines, database, desks } = stage;
  const { gateways } = options;
  const port = await freePortRange(1 + (gateways ?? 0));
  const setup = await prepareSetup(database, desks.slice(0, HANDLERS), port, options.text);
  const settings = { databaseUrl: database.url, natsUrl: engines.natsUrl, port };
  const gateway = await startGateway(
    gateways === undefined ? settings : { ...settings, gateways },
    options.nodeFlags,
  );
  return {
    generator: GENERATOR,
    setup,
    cpu: () => ({
      gateway: cpuOfFamily(gateway.child.pid),
      postgres: cpuOfFamily(engines.pids.postgres),
      nats: cpuOf(engines.pids.nats),
    }),
    pids: gateway.pids,
    calls: () => appendCalls(database),
    stop: gateway.stop,
    pid: gateway.child.pid,
    port,
  };
}

/** Messages that queued during the warm-up and arrived in the window do not count. */
export function sustainedRate({ rate, asked }: PathStep): number {
  return Math.min(rate, asked);
}

async function raiseRate(options: PathOptions, sustains: (rate: number) => Promise<boolean>): Promise<void> {
  let good = 0;
  let bad: number | undefined;
  for (const rate of options.rates) {
    if (await sustains(rate)) good = rate;
    else {
      bad = rate;
      break;
    }
  }
  for (let left = options.refinements; left > 0 && bad !== undefined; left -= 1) {
    const middle = Math.round((good + bad) / 2);
    if (await sustains(middle)) good = middle;
    else bad = middle;
  }
}

export async function prepareSetup(
  database: BenchDatabase,
  desks: string[],
  port: number,
  text = TEXT,
): Promise<Setup> {
  const claimed = await seedConversations(database, desks, Array<number>(VISITORS).fill(0));
  const byDesk = Map.groupBy(claimed, ({ alias }) => alias);
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    text,
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
export async function startGenerator({
  generator,
  setup,
}: Pick<Target, 'generator' | 'setup'>): Promise<ChildProcess> {
  const deadline = performance.now() + CONNECT_MS;
  for (;;) {
    const child = startNode([generator]);
    const ready = listen(child, () => {});
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

async function runStep(target: Target, generator: ChildProcess, order: Order): Promise<PathStep> {
  const samples: Cpu[] = [];
  const ofEach: number[][] = [];
  const callsBefore = await target.calls();
  const finished = listen(generator, () => {
    samples.push({ ...target.cpu(), generator: cpuOf(generator.pid) });
    ofEach.push((target.pids ?? []).map(cpuOf));
  });
  generator.send(order);
  const result = await finished;
  if (result === undefined) throw new Error('the generator measured nothing');
  const calls = (await target.calls()) - callsBefore;
  const [before, after] = samples;
  const perMessage = (who: keyof Cpu): number =>
    ((after?.[who] ?? Number.NaN) - (before?.[who] ?? Number.NaN)) / (result.received || Number.NaN);
  return {
    ...result,
    asked: order.rate,
    sustained:
      result.receipt.p99 <= P99_MAX_MS && result.rate >= order.rate * RATE_MIN && result.closed.length === 0,
    cpu: {
      gateway: perMessage('gateway'),
      postgres: perMessage('postgres'),
      nats: perMessage('nats'),
      generator: perMessage('generator'),
    },
    shares: sharesOf(ofEach),
    batch: calls > 0 ? result.sent / calls : Number.NaN,
  };
}

function sharesOf([before = [], after = []]: number[][]): number[] {
  const used = after.map((cpu, index) => cpu - (before[index] ?? 0));
  const total = used.reduce((sum, each) => sum + each, 0);
  return used.map((each) => each / total);
}

/** Resolves when the generator is ready or has a result. Reports the start and end of the window. */
function listen(child: ChildProcess, onWindow: () => void): Promise<StepResult | undefined> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`the generator ended with ${code}`));
    const onMessage = (message: GeneratorMessage): void => {
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
