import type { Desk } from '@settee/protocol/model/staff';
import { type Db, rows } from '../engine/query.ts';

/** Every alias that has staff, present or not. */
export function readDesks(db: Db): Promise<Desk[]> {
  return rows<Desk>(db)`
    select staff.alias, array_agg(staff.name order by staff.name, staff.id) as people,
      exists (
        select from presence where presence.alias = staff.alias and presence.expires_at > now()
      ) as online
    from staff
    where staff.active and staff.alias is not null and staff.role in ('handler', 'admin')
    group by staff.alias
    order by staff.alias collate "C"`;
}
