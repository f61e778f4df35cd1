// The rows of every table as one digest per table, over the columns that the old release knows.
import { query } from '../../e2e/proof/database.ts';
import { EXCLUDED_TABLES } from '../../server/src/db/backup/catalogue.ts';

/** Jobs fold and count these at any time; the dashboard shows their sums. */
const FOLDED = ['figures', 'figures_fresh'];

export type Digest = { columns: string[]; rows: number; digest: string };
export type Digests = Record<string, Digest>;

/** With `known`, reads only its tables and columns. */
export async function digestTables(url: string, known?: Digests): Promise<Digests> {
  const digests: Digests = {};
  const tables = known === undefined ? await readColumns(url) : known;
  for (const [table, { columns }] of Object.entries(tables)) {
    const list = columns.map((column) => `t."${column}"`).join(', ');
    const [row = []] = await query(
      url,
      `select count(*)::int, coalesce(encode(sha256(convert_to(string_agg(line, E'\\n' order by line collate "C"), 'UTF8')), 'hex'), '')
       from (select row(${list})::text as line from "${table}" t) lines`,
    );
    digests[table] = { columns, rows: Number(row[0]), digest: String(row[1]) };
  }
  return digests;
}

async function readColumns(url: string): Promise<Digests> {
  const rows = await query(
    url,
    `select c.relname::text, array_agg(a.attname::text order by a.attnum)
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     group by c.relname order by 1`,
  );
  return Object.fromEntries(
    (rows as [string, string[]][])
      .filter(([table]) => EXCLUDED_TABLES[table] === undefined && !FOLDED.includes(table))
      .map(([table, columns]) => [table, { columns, rows: 0, digest: '' }]),
  );
}

/** The tables whose rows differ. */
export function differentTables(before: Digests, after: Digests): string[] {
  return Object.entries(before)
    .filter(([table, { digest }]) => after[table]?.digest !== digest)
    .map(([table, { rows }]) => `${table} (${rows} rows before, ${after[table]?.rows} after)`);
}
