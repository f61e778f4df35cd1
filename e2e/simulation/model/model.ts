import type pg from 'pg';
import type { Database, DbTransaction } from '../../../server/src/platform/db/database.ts';
import type { Db } from '../../../server/src/platform/db/query.ts';
import { conversations } from './conversations.ts';
import type { Functions } from './functions.ts';
import { media } from './media.ts';
import { appendMessages, messages } from './messages.ts';
import { people } from './people.ts';
import { push } from './push.ts';
import type { State } from './state.ts';

/** What the functions with SQL do, as far as the simulation calls them. */
export const effects = { ...conversations, ...media, ...messages, ...people, ...push };

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
  readonly pool: pg.Pool;

  constructor(state: State) {
    this.state = state;
    this.pool = { query: (config: pg.QueryConfig) => this.#limitless(config) } as unknown as pg.Pool;
  }

  call<Result>(name: string, effect: (state: State) => Result): Promise<Result> {
    return this.around(name, () => this.state.statement(effect));
  }

  transaction<Result>(work: (db: DbTransaction) => Promise<Result>): Promise<Result> {
    const within: Db & Caller = {
      call: async (_, effect) => effect(this.state),
      query: (config) => this.query(config),
    };
    return this.around('transaction', () =>
      this.state.transaction(() => work(within as unknown as DbTransaction)),
    );
  }

  async query({ text }: pg.QueryConfig): Promise<never> {
    const error = new Error(`the model has no such query: ${text}`);
    this.state.onMissing(error);
    throw error;
  }

  isBusy(): boolean {
    return false;
  }

  async close(): Promise<void> {}

  /** Of all queries without a function, only rate-limiter-flexible's have an answer: this is the first attempt. */
  async #limitless(config: pg.QueryConfig): Promise<Pick<pg.QueryResult, 'rows'>> {
    return config.text.includes('rate_limits') ? { rows: [{ points: 1, expire: null }] } : this.query(config);
  }
}

/** By the URL with which the product opens a database. */
export const databases = new Map<string, ModelDatabase>();

/** A connection of the appender. */
class Connection {
  readonly database: ModelDatabase;

  constructor(database: ModelDatabase) {
    this.database = database;
  }

  connect(): Promise<void> {
    return this.database.around('connect', async () => {});
  }

  on(): this {
    return this;
  }

  async end(): Promise<void> {}
}

const appending: Pick<Functions, 'appendConnection' | 'callAppend'> = {
  appendConnection(url) {
    const database = databases.get(url);
    if (database === undefined) throw new Error(`there is no model at ${url}`);
    return new Connection(database) as unknown as pg.Client;
  },
  callAppend(connection, batch, lookUp) {
    const { database } = connection as unknown as Connection;
    const drafts = batch.map(({ draft }) => draft);
    return database.call('append', (state) => appendMessages(state, drafts, lookUp));
  },
};

export type Modelled = Pick<Functions, keyof typeof effects | keyof typeof appending>;

/** The functions with SQL that are replaced: each runs its effect on the state instead of SQL. */
export const model = {
  ...Object.fromEntries(
    Object.entries<(state: State, ...args: never[]) => unknown>(effects).map(([name, effect]) => [
      name,
      (db: Db & Caller, ...args: never[]) => db.call(name, (state) => effect(state, ...args)),
    ]),
  ),
  ...appending,
} as Modelled;
