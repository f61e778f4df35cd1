import type pg from 'pg';
import { type Db, rows, sql } from '../platform/db/query.ts';

/** Tables that are not backed up, with the reason. */
export const EXCLUDED_TABLES: Readonly<Record<string, string>> = {
  migrations: 'the manifest names them; a restore runs them',
  applied_functions: 'a restore applies those of its release',
  gateways: 'who holds the lease at this moment',
  workers: 'who works off jobs at this moment',
  write_probe: 'always empty',
  presence: 'who is at a desk at this moment',
  staff_presence: 'who has a page open at this moment',
  rate_limits: 'counts of the last minutes and hours',
  search_entries: 'made again from the messages',
  search_heads: 'made again from the messages',
  search_due: 'a restore marks all conversations',
};

/** Ordered so that referenced tables come first. */
export type Table = { name: string; columns: string[] };

/** Without generated columns; partitions are read through their parent. */
const TABLES = sql`
  select c.relname::text as name,
    array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = current_schema()::text::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  group by c.relname order by c.relname`;

const REFERENCES = sql`
  select f.relname::text as from_table, t.relname::text as to_table
  from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
  where k.contype = 'f' and k.conparentid = 0 and f.relnamespace = current_schema()::text::regnamespace`;

export async function readTables(db: Db): Promise<Table[]> {
  const tables = await rows<Table>(db)`${TABLES}`;
  const references = await rows<{ from_table: string; to_table: string }>(db)`${REFERENCES}`;
  const needs = new Map<string, Set<string>>();
  for (const { from_table: from, to_table: to } of references) {
    if (from !== to) needs.set(from, (needs.get(from) ?? new Set()).add(to));
  }
  return inOrder(
    tables.filter(({ name }) => EXCLUDED_TABLES[name] === undefined),
    needs,
  );
}

function inOrder(tables: Table[], needs: ReadonlyMap<string, ReadonlySet<string>>): Table[] {
  const placed = new Set<string>();
  const ordered: Table[] = [];
  while (ordered.length < tables.length) {
    const next = tables.filter(
      ({ name }) => !placed.has(name) && [...(needs.get(name) ?? [])].every((other) => placed.has(other)),
    );
    if (next.length === 0) throw new Error('tables have circular references');
    for (const table of next) placed.add(table.name);
    ordered.push(...next);
  }
  return ordered;
}

/** Sequences grow outside of transactions, so they are never behind the snapshot. */
export function readSequences(db: Db): Promise<{ name: string; value: string }[]> {
  return rows<{ name: string; value: string }>(db)`
    select sequencename::text as name, last_value::text as value from pg_sequences
    where schemaname = current_schema() and last_value is not null and sequencename <> 'migrations_id_seq'
    order by 1`;
}

/** Makes the text format independent of the server's, role's and shell's settings. */
const SESSION = [
  "set local timezone = 'UTC'",
  "set local datestyle = 'ISO, YMD'",
  "set local intervalstyle = 'postgres'",
  'set local extra_float_digits = 1',
  "set local bytea_output = 'hex'",
  "set local client_encoding = 'UTF8'",
  'set local statement_timeout = 0',
  'set local idle_in_transaction_session_timeout = 0',
  "set local lock_timeout = '30s'",
].join('; ');

/** Call it inside a transaction. */
export async function setTextFormat(client: pg.Client): Promise<void> {
  await client.query(SESSION);
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function copyOutSql({ name, columns }: Table): string {
  return `copy (select ${columns.map(quoteIdentifier).join(', ')} from ${quoteIdentifier(name)}) to stdout`;
}
