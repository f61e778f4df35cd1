import type { Visitor } from '../ports/caller.ts';
import { column, type Db, exists, value } from './query.ts';

/** The cell that has it now: an id, or the hash of a token. Undefined if it never left. */
export function findNewCell(db: Db, key: string | Buffer): Promise<string | undefined> {
  const bytes = typeof key === 'string' ? Buffer.from(key.replaceAll('-', ''), 'hex') : key;
  return value<string>(db, 'new-cell')`select cell from moved where key = ${bytes}`;
}

/** Whether this visitor came with a desk, and still has a device. */
export function hasArrived(db: Db, { visitorId, credential }: Visitor): Promise<boolean> {
  return exists(db)`
    select from devices d join arrived_visitors a on a.visitor_id = d.visitor_id
    where d.visitor_id = ${visitorId} and d.credential = ${credential} and d.revoked_at is null limit 1`;
}

/** Those of the ids that moved to another cell. */
export async function listMoved(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await column<string>(db)`
    select id::text from unnest(${ids}::uuid[]) as i (id) where exists (select from moved where key = uuid_send(i.id))`;
  return new Set(found);
}
