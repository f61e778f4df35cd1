import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A migration, as the runner executes it. */
export type Migration = {
  name: string;
  /** Comments included. */
  text: string;
  /** The SQL texts sent to PostgreSQL, in order. */
  calls: string[];
  inTransaction: boolean;
};

/** SQL files run in one transaction. Code reports its SQL and can run without a transaction. */
export async function readMigration(path: string): Promise<Migration> {
  const text = readFileSync(path, 'utf8');
  const name = basename(path);
  if (name.endsWith('.sql')) {
    const [up = ''] = text.split(/^\s*--[\s-]*down\s+migration/im);
    return { name, text, calls: [up], inTransaction: true };
  }
  const { up } = (await import(pathToFileURL(path).href)) as { up: (pgm: unknown) => unknown };
  const calls: string[] = [];
  let inTransaction = true;
  const pgm = {
    noTransaction: () => {
      inTransaction = false;
    },
    sql: (statement: string) => void calls.push(statement),
  };
  const onlyThese = new Proxy(pgm, {
    get(target, key) {
      if (key in target) return target[key as keyof typeof target];
      throw new Error(
        `${name} uses pgm.${String(key)}: write it in SQL with pgm.sql, so that it can be checked.`,
      );
    },
  });
  await up(onlyThese);
  return { name, text, calls, inTransaction };
}
