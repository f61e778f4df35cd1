import type pg from 'pg';

/** The database, or a transaction. */
export type Db = { query(config: pg.QueryConfig): Promise<pg.QueryResult> };

/** SQL with its values, which PostgreSQL receives separately from the text. */
export class Sql {
  /** The text before, between and after the values. */
  readonly texts: readonly string[];
  readonly values: readonly unknown[];

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.texts = texts;
    this.values = values;
  }

  get text(): string {
    return this.texts.reduce((text, next, index) => `${text}$${index}${next}`);
  }
}

/** A fragment. Each `${value}` becomes a bound parameter, except that another fragment becomes part of the text. */
export function sql(strings: TemplateStringsArray, ...inserted: unknown[]): Sql {
  const texts = [strings[0] ?? ''];
  const values: unknown[] = [];
  const append = (text: string) => texts.push(`${texts.pop()}${text}`);
  for (const [index, part] of inserted.entries()) {
    if (part instanceof Sql) {
      append(part.texts[0] ?? '');
      texts.push(...part.texts.slice(1));
      values.push(...part.values);
    } else {
      texts.push('');
      values.push(part);
    }
    append(strings[index + 1] ?? '');
  }
  return new Sql(texts, values);
}

/** Text of our own as a fragment: an identifier or a constant. Never use it for input. */
export function raw(text: string): Sql {
  return new Sql([text], []);
}

/** A time in milliseconds since the epoch: whole, or with the fraction; and the other way round. */
export const millis = (time: string): Sql => raw(`floor(extract(epoch from ${time}) * 1000)::float8`);
export const exactMillis = (time: string): Sql => raw(`(extract(epoch from ${time}) * 1000)::float8`);
export const fromMillis = (ms: number | null): Sql => sql`to_timestamp(${ms}::float8 / 1000)`;
/** All that PostgreSQL knows of a time: microseconds, as text. */
export const micros = (time: string): Sql => raw(`(extract(epoch from ${time}) * 1000000)::bigint::text`);
/** Of an interval, or of a time since the epoch. */
export const seconds = (interval: string): Sql => raw(`extract(epoch from ${interval})::float8`);

type Tag<Result> = (strings: TemplateStringsArray, ...inserted: unknown[]) => Promise<Result>;

/**
 * All rows. With a name, the statement is prepared once per connection; use this on frequent paths. All calls
 * with one name must have the same text.
 */
export function rows<Row>(db: Db, name?: string): Tag<Row[]> {
  return async (...query) => (await execute<Row>(db, sql(...query), name)).rows;
}

/** The first row; undefined if there is none. */
export function first<Row>(db: Db, name?: string): Tag<Row | undefined> {
  return async (...query) => (await execute<Row>(db, sql(...query), name)).rows[0];
}

/** The only row. */
export function one<Row>(db: Db, name?: string): Tag<Row> {
  return async (...query) => {
    const [row] = (await execute<Row>(db, sql(...query), name)).rows;
    if (row === undefined) throw new Error('a statement returned no row');
    return row;
  };
}

/** The first column of all rows. */
export function column<Value>(db: Db, name?: string): Tag<Value[]> {
  return async (...query) => {
    const found = await execute<Record<string, Value>>(db, sql(...query), name);
    return found.rows.flatMap((row) => Object.values(row).slice(0, 1));
  };
}

/** The first column of the first row; undefined if there is no row. */
export function value<Value>(db: Db, name?: string): Tag<Value | undefined> {
  return async (...query) => (await column<Value>(db, name)(...query))[0];
}

export function exists(db: Db, name?: string): Tag<boolean> {
  return async (...query) => (await execute(db, sql(...query), name)).rows.length > 0;
}

/** The number of inserted, updated or deleted rows. */
export function affected(db: Db): Tag<number> {
  return async (...query) => (await execute(db, sql(...query))).affected;
}

/** Whether a row was inserted, updated or deleted. */
export function changed(db: Db): Tag<boolean> {
  return async (...query) => (await execute(db, sql(...query))).affected > 0;
}

export function run(db: Db): Tag<void> {
  return async (...query) => void (await execute(db, sql(...query)));
}

async function execute<Row>(
  db: Db,
  { text, values }: Sql,
  name?: string,
): Promise<{ rows: Row[]; affected: number }> {
  const result = await db.query({ text, values: [...values], ...(name !== undefined && { name }) });
  return { rows: result.rows as Row[], affected: result.rowCount ?? 0 };
}
