import { type Db, rows, value } from '../engine/query.ts';

/** The key of an id. Hashes of tokens are keys as they are. */
export function keyOf(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

/** The cell that has it now; undefined if it never left. */
export function movedTo(db: Db, key: Buffer): Promise<string | undefined> {
  return value<string>(db, 'moved-to')`select cell from moved where key = ${key}`;
}

/** Those of the ids that moved to another cell. */
export async function movedOf(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await rows<{ id: string }>(db)`
    select id::text from unnest(${ids}::uuid[]) as i (id) where exists (select from moved where key = uuid_send(i.id))`;
  return new Set(found.map(({ id }) => id));
}
