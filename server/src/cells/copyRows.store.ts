import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { readTables, type Table } from '../backup/catalogue.store.ts';
import { readAppliedMigrations } from '../platform/db/migrations.ts';
import { type Db, rows, run, value } from '../platform/db/query.ts';
import { ownerUrl, type RoleUrls } from '../platform/db/roles.ts';
import { withClient } from '../platform/db/withClient.ts';
import { type DeskRows, messageRows } from './deskRows.store.ts';

/** Conversations per step, so that no step holds many rows in memory or a snapshot for long. */
const STEP = 1_000;

/** The two databases, with their tables. Columns come from the source: both have the same migrations. */
export type Ends = { source: pg.Client; target: pg.Client; tables: Table[] };

const MOVES_LOCK = 7365040;

/** Connects to both as the owner of the tables. One desk of a cell can move at a time. */
export async function withEnds<T>(
  from: RoleUrls,
  to: RoleUrls,
  work: (ends: Ends) => Promise<T>,
): Promise<T> {
  const options = (urls: RoleUrls) => ({
    connectionString: ownerUrl(urls),
    application_name: 'settee desk move',
  });
  return withClient(options(from), (source) =>
    withClient(options(to), async (target) => {
      const isFree = await value<boolean>(source)`select pg_try_advisory_lock(${MOVES_LOCK}::bigint)`;
      if (isFree !== true) throw new Error('Another desk of this cell is being moved.');
      const [here, there] = await Promise.all([source, target].map(readAppliedMigrations));
      if (here === undefined || here.toSorted().join() !== there?.toSorted().join())
        throw new Error(
          'The cells have different migrations. Run the same release in both, and settee migrate.',
        );
      // Otherwise times could be written in two ways, and the digests would differ.
      for (const client of [source, target]) await client.query("set timezone = 'UTC'");
      return work({ source, target, tables: await readTables(source) });
    }),
  );
}

export async function copyRows({ source, target }: Ends, { name, columns, select }: DeskRows): Promise<void> {
  await pipeline(
    source.query(copyTo(`copy (${select}) to stdout`)),
    target.query(copyFrom(`copy ${name} (${columns}) from stdin`)),
  );
}

/**
 * Copies the conversations whose messages are not all there. `copied` has the heads up to which an earlier call copied
 * them. Messages without a conversation are invisible.
 */
export async function copyMessages(ends: Ends, alias: string, copied: Map<string, number>): Promise<void> {
  const all = await rows<{ id: string; head: number }>(ends.source)`
    select id, last_seq as head from conversations where handler_alias = ${alias} order by id`;
  const changed = all.filter(({ id, head }) => copied.get(id) !== head);
  for (let start = 0; start < changed.length; start += STEP) {
    const step = changed.slice(start, start + STEP);
    const messages = messageRows(
      ends.tables,
      step.map(({ id }) => id),
    );
    // Of an interrupted move, or of the call before.
    await ends.target.query(messages.remove);
    await copyRows(ends, messages);
    for (const { id, head } of step) copied.set(id, head);
  }
}

/** Removes copies without a conversation. */
export function removeOrphans(target: Db, ids: readonly string[]): Promise<void> {
  return run(target)`
    delete from messages m where m.conversation_id = any (${ids}::uuid[])
      and not exists (select from conversations c where c.id = m.conversation_id)`;
}

export type Compared = { name: string; rows: number };

/** Compares number and digest of the rows in both cells. Throws if they differ. */
export async function compareRows({ source, target }: Ends, { name, select }: DeskRows): Promise<Compared> {
  // The sum does not depend on the order.
  const text = `select count(*)::integer as rows, coalesce(sum(hashtextextended(r::text, 0)::numeric), 0)::text as digest
    from (${select}) r`;
  const [here, there] = await Promise.all(
    [source, target].map((client) => client.query<{ rows: number; digest: string }>(text)),
  );
  const [ours, theirs] = [here?.rows[0], there?.rows[0]];
  if (ours === undefined || ours.rows !== theirs?.rows || ours.digest !== theirs.digest)
    throw new Error(`${name} differs after copying: ${ours?.rows} rows, ${theirs?.rows} in the other cell.`);
  return { name, rows: ours.rows };
}
