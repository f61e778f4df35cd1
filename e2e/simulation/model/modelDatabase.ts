import type pg from 'pg';
import type { Database, DbTransaction } from '../../../server/src/db/engine/database.ts';
import type { Db } from '../../../server/src/db/engine/query.ts';
import type { State } from './state.ts';

/**
 * What happens around a statement or a transaction: waits before and after it, or a lost connection. The effect is
 * atomic. `name` is the function's name, or `transaction`, `connect` or `append`.
 */
export type Around = <Result>(name: string, effect: () => Promise<Result>) => Promise<Result>;

type Caller = { call<Result>(name: string, effect: (state: State) => Result): Promise<Result> };

/** The connections of one gateway to the model. */
export class ModelDatabase implements Database, Caller {
  readonly state: State;
  around: Around = (_, effect) => effect();
  readonly pool = { query: limitless } as unknown as pg.Pool;

  constructor(state: State) {
    this.state = state;
  }

  call<Result>(name: string, effect: (state: State) => Result): Promise<Result> {
    return this.around(name, () => this.state.statement(effect));
  }

  transaction<Result>(work: (db: DbTransaction) => Promise<Result>): Promise<Result> {
    const within: Db & Caller = { call: async (_, effect) => effect(this.state), query };
    return this.around('transaction', () =>
      this.state.transaction(() => work(within as unknown as DbTransaction)),
    );
  }

  query(config: pg.QueryConfig): Promise<pg.QueryResult> {
    return query(config);
  }

  isBusy(): boolean {
    return false;
  }

  async close(): Promise<void> {}
}

async function query({ text }: pg.QueryConfig): Promise<never> {
  throw new Error(`the model has no such query: ${text}`);
}

/** Of all queries without a function, only rate-limiter-flexible's have an answer: this is the first attempt. */
async function limitless(config: pg.QueryConfig): Promise<Pick<pg.QueryResult, 'rows'>> {
  return config.text.includes('rate_limits') ? { rows: [{ points: 1, expire: null }] } : query(config);
}

/** By the URL with which the product opens a database. */
export const databases = new Map<string, ModelDatabase>();

export function databaseAt(url: string): ModelDatabase {
  const database = databases.get(url);
  if (database === undefined) throw new Error(`there is no model at ${url}`);
  return database;
}

/** A function of server/src/db that runs `effect` on the state instead of SQL. */
export function modelled<Args extends unknown[], Result>(
  name: string,
  effect: (state: State, ...args: Args) => Result,
): (db: Db, ...args: Args) => Promise<Result> {
  return (db, ...args) => (db as Db & Caller).call(name, (state) => effect(state, ...args));
}
