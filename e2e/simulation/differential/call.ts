import type pg from 'pg';
import type { Database, DbTransaction } from '../../../server/src/db/engine/database.ts';
import type { Drawing } from './drawing.ts';
import type { Functions } from './functions.ts';

/** PostgreSQL with the real functions, or the model with its own. */
export type Side = {
  f: Functions;
  db: Database;
  /** Of the appender; more than one for concurrent calls. */
  connections: readonly pg.Client[];
  setClock(at: number): Promise<void>;
};

export type Call = {
  name: string;
  args: readonly unknown[];
  run(side: Side): Promise<unknown>;
};

export type Draw = (drawing: Drawing) => Call;

type Simple = {
  [Name in keyof Functions]: Functions[Name] extends (db: Database, ...args: infer Args) => Promise<unknown>
    ? Args
    : never;
};

/** One call of one function. */
export function call<Name extends keyof Functions>(name: Name, ...args: Simple[Name]): Call {
  return {
    name,
    args,
    run: (side) => (side.f[name] as (...all: unknown[]) => Promise<unknown>)(side.db, ...args),
  };
}

/** The same, for functions whose rows have no order. */
export function unordered<Name extends keyof Functions>(name: Name, ...args: Simple[Name]): Call {
  const { run, ...rest } = call(name, ...args);
  return {
    ...rest,
    run: async (side) =>
      ((await run(side)) as unknown[]).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  };
}

/** Thrown by a call to undo its transaction. */
class Undone extends Error {}

/** Several functions in one transaction, which sometimes fails at its end. */
export function transaction(
  { random }: Drawing,
  name: string,
  args: readonly unknown[],
  work: (f: Functions, db: DbTransaction) => Promise<unknown>,
): Call {
  const undone = random.chance(0.1);
  return {
    name: undone ? `${name}, undone` : name,
    args,
    run: (side) =>
      side.db
        .transaction(async (db) => {
          const result = await work(side.f, db);
          if (undone) throw new Undone();
          return result;
        })
        .catch((error: unknown) => {
          if (error instanceof Undone) return 'undone';
          throw error;
        }),
  };
}
