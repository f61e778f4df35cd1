import { AwsClient } from 'aws4fetch';
import type { TestServer } from '../support/harness.ts';
import { testS3 } from '../support/testMedia.ts';

/** Where a word was found: a column of a table, or an object in the bucket. */
export type Found = { where: string; word: string };

type Column = { schema: string; table: string; column: string };

/**
 * Searches every column of every table in our schemas and in the job queue's, whatever its type: as text, and bytes
 * also as decoded text. Partitions are searched one by one, as tables.
 */
export async function searchTables(server: TestServer, words: readonly string[]): Promise<Found[]> {
  const { pool } = server.app.db;
  const { rows } = await pool.query<Column>(
    `select n.nspname as schema, c.relname as table, a.attname as column
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where c.relkind in ('r', 'm') and a.attnum > 0 and not a.attisdropped
       and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_toast%'
     order by 1, 2, 3`,
  );
  const found: Found[] = [];
  for (const [name, columns] of Map.groupBy(rows, ({ schema, table }) => `"${schema}"."${table}"`)) {
    // As text, a row shows bytes as hex and array elements as they are.
    for (const { column } of columns) {
      const hits = await pool.query<{ word: string }>(
        `select distinct w.word from ${name} t cross join unnest($1::text[]) as w (word)
         where position(lower(w.word) in lower(t."${column}"::text)) > 0
           or position(encode(convert_to(lower(w.word), 'UTF8'), 'hex') in lower(t."${column}"::text)) > 0
           or position(encode(convert_to(w.word, 'UTF8'), 'hex') in lower(t."${column}"::text)) > 0
           or position(replace(w.word, '-', '') in lower(t."${column}"::text)) > 0`,
        [words],
      );
      for (const { word } of hits.rows) found.push({ where: `${name}.${column}`, word });
    }
  }
  return found;
}

/** Every object in the real bucket whose name or content contains a word. */
export async function searchBucket(words: readonly string[]): Promise<Found[]> {
  const found: Found[] = [];
  for (const key of await bucketKeys()) {
    const bytes = await objectBytes(key);
    for (const word of words) {
      if (key.includes(word) || bytes?.includes(word)) found.push({ where: `bucket/${key}`, word });
    }
  }
  return found;
}

const bucket = () => {
  const { endpoint, bucket: name, accessKeyId, secretAccessKey, region } = testS3();
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
  return { client, url: `${endpoint.replace(/\/+$/, '')}/${name}` };
};

export async function bucketKeys(): Promise<string[]> {
  const { client, url } = bucket();
  const keys: string[] = [];
  for (
    let after: string | undefined = '';
    after !== undefined;
    after = keys.length % 1_000 ? undefined : keys.at(-1)
  ) {
    const page = await client.fetch(`${url}?list-type=2&start-after=${encodeURIComponent(after)}`);
    const text = await page.text();
    const more = Array.from(text.matchAll(/<Key>([^<]+)<\/Key>/g), ([, key = '']) => key);
    keys.push(...more);
    if (more.length === 0) break;
  }
  return keys;
}

async function objectBytes(key: string): Promise<Buffer | undefined> {
  const { client, url } = bucket();
  const response = await client.fetch(`${url}/${key}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  // Another test may have removed it meanwhile.
  return response.ok ? bytes : undefined;
}
