// `npm run bench -- --peers`: the same work on other products, in turn with Settee.
import type { ChildProcess } from 'node:child_process';
import { stopChild } from '../children.ts';
import { Path, type PathStep, type StepTimes, startGenerator } from '../path.ts';
import type { Engines } from '../stage.ts';
import { ejabberd } from './ejabberd.ts';
import type { Product } from './product.ts';
import { prosody } from './prosody.ts';
import { settledBytes } from './resident.ts';
import { settee } from './settee.ts';
import { synapse } from './synapse.ts';

export type PeersSize = {
  rounds: number;
  /** Short steps find the rate, and long ones measure it. */
  climb: StepTimes;
  sustained: StepTimes;
  idle: number;
};

export type PeerResult = {
  name: string;
  version: string;
  /** The highest rate of the climb. */
  climbed: number;
  /** For each round the last step; unless all failed, the product sustained it. */
  rounds: PathStep[];
  idle: { sessions: number; bytes: number };
  faults: string[];
};

export type PeersResult = { products: PeerResult[]; leftOut: { name: string; why: string }[] };

/** After a rate that failed, the next to try, as a share. */
const STEP_DOWN = 0.85;
const TRIES = 4;
/** A server that has just started refuses its full rate, so these shares of it come first. */
const WARM_UP = [0.25, 0.5];

export async function measurePeers(
  engines: Engines,
  version: string,
  size: PeersSize,
  report: { log(line: string): void; step(step: PathStep): void },
): Promise<PeersResult> {
  const found = [await settee(engines, version)];
  const leftOut: PeersResult['leftOut'] = [];
  for (const [name, create] of Object.entries({ ejabberd, Prosody: prosody, Synapse: synapse })) {
    report.log(`preparing ${name}`);
    try {
      found.push(await create(engines, size.idle));
    } catch (error) {
      leftOut.push({ name, why: error instanceof Error ? error.message : String(error) });
      report.log(`left out: ${name}: ${leftOut.at(-1)?.why}`);
    }
  }
  const measured = found.map((product) => new Measured(product, report.step));
  for (const each of measured) {
    report.log(`${each.name}: rising rates`);
    await each.climb(size.climb);
  }
  for (let round = 1; round <= size.rounds; round += 1)
    for (const each of measured) {
      report.log(`round ${round} of ${size.rounds}: ${each.name}`);
      await each.sustain(size);
    }
  for (const each of measured) {
    report.log(`${each.name}: memory of idle sessions`);
    await each.rest(size.idle);
  }
  return { products: measured.map(({ result }) => result), leftOut };
}

/** One product and its figures so far. Its server runs only while it is measured. */
class Measured {
  readonly result: PeerResult;
  readonly #product: Product;
  readonly #onStep: (step: PathStep) => void;

  constructor(product: Product, onStep: (step: PathStep) => void) {
    const { name, version } = product;
    const idle = { sessions: 0, bytes: Number.NaN };
    this.result = { name, version, climbed: Number.NaN, rounds: [], idle, faults: [] };
    this.#product = product;
    this.#onStep = onStep;
  }

  get name(): string {
    return this.result.name;
  }

  async climb(step: StepTimes): Promise<void> {
    await this.#withPath(step, async (path) => {
      const { best } = await path.climb();
      this.result.climbed = best?.asked ?? this.#product.rates[0] ?? 1;
    });
  }

  async sustain({ climb, sustained }: PeersSize): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const rate = Math.round(this.result.climbed * STEP_DOWN ** tries);
      // A server that fell behind would still be busy with the last rate, so each rate gets a new one.
      const tried = await this.#withPath(sustained, async (path) => {
        for (const share of WARM_UP) await path.attempt(share * rate, climb);
        const before = await this.#product.stored();
        const step = await path.attempt(rate);
        this.#check(step, (await this.#product.stored()) - before);
        return step;
      });
      if (tried.sustained || tries + 1 === TRIES) {
        this.result.rounds.push(tried);
        return;
      }
    }
  }

  async rest(wanted: number): Promise<void> {
    const server = await this.#product.start();
    const sessions = Math.round(wanted * this.#product.idleShare);
    const first = Math.round(sessions / 5);
    const generators: ChildProcess[] = [];
    const arrive = async (from: number, count: number): Promise<number> => {
      const setup = await server.sessions(from, count);
      generators.push(await startGenerator({ generator: server.generator, setup }));
      return settledBytes(server.pid ?? 0);
    };
    try {
      const few = await arrive(0, first);
      const all = await arrive(first, sessions - first);
      this.result.idle = { sessions, bytes: (all - few) / (sessions - first) };
    } finally {
      for (const generator of generators) await stopChild(generator);
      await server.stop();
    }
  }

  async #withPath<T>(step: StepTimes, work: (path: Path) => Promise<T>): Promise<T> {
    const options = { ...step, rates: this.#product.rates, refinements: 1, onStep: this.#onStep };
    const path = new Path(await this.#product.start(), options);
    try {
      return await work(path);
    } finally {
      await path.close();
      await this.#product.tidy();
    }
  }

  #check(step: PathStep, stored: number): void {
    const { sustained, sent, lost, duplicated, outOfOrder } = step;
    const found: [number, string][] = [
      [sustained ? sent - lost - stored : 0, 'received and not in the archive'],
      [sustained ? lost : 0, 'not received'],
      [duplicated, 'received twice'],
      [outOfOrder, 'out of order'],
    ];
    for (const [count, what] of found) if (count !== 0) this.result.faults.push(`${count} ${what}`);
  }
}
