import { inspect, isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { Random } from '../../proof/random.ts';
import { real } from '../model/functions.ts';
import { databases, ModelDatabase, type Modelled } from '../model/model.ts';
import { State } from '../model/state.ts';
import { type Call, draws, firstCalls, type Side } from './calls.ts';
import { Drawing } from './drawing.ts';
import { findDifference, type Stage } from './postgres.ts';

const BEGIN = Date.UTC(2026, 10, 17, 8);
/** Calls between two comparisons of all rows. */
const COMPARE_EVERY = 50;
/** Gateways that append at the same time. */
const CONNECTIONS = 3;

export type Finding = { at: number; what: string };

/** PostgreSQL and the model, which get the same calls. */
export class Comparison {
  readonly #stage: Stage;
  readonly #real: Side;
  /** How often each outcome of an append occurred. */
  readonly outcomes = new Map<string, number>();

  static async open(stage: Stage): Promise<Comparison> {
    const connections = Array.from({ length: CONNECTIONS }, () => real.appendConnection(stage.url));
    await Promise.all(connections.map((connection) => connection.connect()));
    return new Comparison(stage, { f: real, db: stage.db, connections, setClock: stage.setClock });
  }

  private constructor(stage: Stage, side: Side) {
    this.#stage = stage;
    this.#real = side;
  }

  async close(): Promise<void> {
    await Promise.all(this.#real.connections.map((connection) => connection.end()));
  }

  /** Makes these calls of a world, by their numbers. Returns the first difference. */
  async run(seed: number, numbers: readonly number[], model: Modelled): Promise<Finding | undefined> {
    await this.#stage.reset();
    await this.#stage.setClock(BEGIN);
    let now = BEGIN;
    const newIds: string[] = [];
    const state = new State(
      () => now,
      () => newIds.shift() ?? 'an id that PostgreSQL did not make',
    );
    const url = 'model:differential';
    const db = new ModelDatabase(state);
    databases.set(url, db);
    const side: Side = {
      f: model,
      db,
      connections: this.#real.connections.map(() => model.appendConnection(url)),
      async setClock(at) {
        now = at;
      },
    };
    const known = new Set<string>();
    const compare = async (drawn: Call): Promise<string | undefined> => {
      const inReal = await settled(drawn, this.#real);
      for (const id of uuidsIn(inReal)) if (!known.has(id)) newIds.push(id);
      for (const outcome of outcomesIn(inReal))
        this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
      const inModel = await settled(drawn, side);
      for (const id of uuidsIn(inReal)) known.add(id);
      newIds.length = 0;
      if (isDeepStrictEqual(inReal, inModel)) return undefined;
      return `PostgreSQL: ${show(inReal)}\nthe model:  ${show(inModel)}`;
    };
    const whole = new Random(seed);
    for (const drawn of firstCalls(new Drawing(whole, state))) {
      const difference = await compare(drawn);
      if (difference !== undefined) return { at: -1, what: describe(drawn, difference) };
    }
    for (const [index, number] of numbers.entries()) {
      const random = new Random(seed * 1_000_003 + number, `${seed} ${number}`);
      const drawn = random.pick(draws)(new Drawing(random, state));
      for (const id of uuidsIn(drawn.args)) known.add(id);
      const difference = await compare(drawn);
      if (difference !== undefined) return { at: index, what: describe(drawn, difference) };
      if (index % COMPARE_EVERY === COMPARE_EVERY - 1 || index === numbers.length - 1) {
        const rows = await findDifference(this.#stage.db, state);
        if (rows !== undefined) return { at: index, what: describe(drawn, rows) };
      }
    }
    return undefined;
  }
}

/** The result, or the code of the error. */
async function settled(drawn: Call, side: Side): Promise<unknown> {
  try {
    return await drawn.run(side);
  } catch (error) {
    if (error instanceof pg.DatabaseError) return { error: error.code };
    throw new Error(`${drawn.name} failed with ${show(drawn.args)}`, { cause: error });
  }
}

function uuidsIn(value: unknown): string[] {
  return JSON.stringify(value ?? null).match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
}

function outcomesIn(value: unknown): string[] {
  return JSON.stringify(value ?? null).match(/(?<="outcome":")\w+/g) ?? [];
}

function describe({ name, args }: Call, difference: string): string {
  return `${name} ${show(args)}\n${difference}`;
}

function show(value: unknown): string {
  return inspect(value, { depth: 6, breakLength: 200, maxArrayLength: 20 });
}
