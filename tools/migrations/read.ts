import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadModule, type Node, parsePlPgSQLSync, parseSync } from 'libpg-query';

const ROOT = resolve(import.meta.dirname, '../..');
export const MIGRATIONS = join(ROOT, 'server/migrations');
/** Beside the folder, because every file in the folder runs as a migration. */
export const RELEASED = join(ROOT, 'server/released.json');

/** For each release its new migrations, with the SHA-256 of their bytes. */
export type Released = Record<string, Record<string, string>>;

export function readReleased(): Released {
  return JSON.parse(readFileSync(RELEASED, 'utf8')) as Released;
}

/** Sorted by name, which is the order in which they run. */
export function migrationFiles(): string[] {
  return readdirSync(MIGRATIONS).sort();
}

export function hashOf(file: string): string {
  return createHash('sha256')
    .update(readFileSync(join(MIGRATIONS, file)))
    .digest('hex');
}

/** Migrations that can still be changed, because no installation has run them. */
export function unreleasedFiles(): string[] {
  const known = new Set(Object.values(readReleased()).flatMap((files) => Object.keys(files)));
  return migrationFiles().filter((file) => !known.has(file));
}

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

await loadModule();

/** One statement, with its kind in PostgreSQL's grammar. */
export type Statement = {
  kind: string;
  body: Record<string, unknown>;
  /** Inside a `do` block that commits in between. */
  inSteps: boolean;
};

/** The statements of one call, including those inside `do` blocks. Reports what it cannot parse. */
export function statementsOf(sql: string, unreadable: (why: string) => void): Statement[] {
  return (parseSync(sql).stmts ?? []).flatMap(({ stmt, stmt_location = 0, stmt_len }) => {
    if (stmt === undefined) return [];
    const one = unwrap(stmt);
    if (one.kind !== 'DoStmt') return [one];
    const bytes = Buffer.from(sql).subarray(stmt_location, stmt_len && stmt_location + stmt_len);
    return insideOf(bytes.toString(), unreadable);
  });
}

function unwrap(node: Node, inSteps = false): Statement {
  const [[kind, body] = ['Nothing', {}]] = Object.entries(node);
  return { kind, body: body as Record<string, unknown>, inSteps };
}

const WITH_SQL = ['PLpgSQL_stmt_execsql', 'PLpgSQL_stmt_perform', 'PLpgSQL_stmt_fors'];

function insideOf(block: string, unreadable: (why: string) => void): Statement[] {
  const tree = parsePlPgSQLSync(block);
  const inSteps = find(tree, ['PLpgSQL_stmt_commit']).length > 0;
  if (find(tree, ['PLpgSQL_stmt_dynexecute']).length > 0) unreadable('text that is made while it runs');
  return find(tree, WITH_SQL).flatMap((statement) => {
    const { sqlstmt, expr, query } = statement as Record<string, Expression | undefined>;
    const text = (sqlstmt ?? expr ?? query)?.PLpgSQL_expr.query ?? '';
    return (parseSync(text).stmts ?? []).flatMap(({ stmt }) => (stmt ? unwrap(stmt, inSteps) : []));
  });
}

type Expression = { PLpgSQL_expr: { query: string } };

/** Every node of these kinds at any depth, in source order. */
export function find(tree: unknown, kinds: readonly string[]): unknown[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree as Record<string, unknown>).flatMap(([key, value]) => [
    ...(kinds.includes(key) ? [value] : []),
    ...find(value, kinds),
  ]);
}
