import { type Db, raw, run } from '../platform/db/query.ts';

const OF_STAFF = ['staff_sessions', 'staff_totp', 'staff_passkeys', 'staff_recovery_codes', 'password_links'];

/** Makes the people of a desk that is elsewhere mere names, which stay for what they wrote at other desks. */
export async function removeStaff(db: Db, alias: string): Promise<void> {
  for (const table of OF_STAFF)
    await run(db)`delete from ${raw(table)} t using staff s where s.id = t.staff_id and s.alias = ${alias}`;
  await run(db)`
    delete from saved_replies r using staff s where s.id = r.staff_id and s.alias = ${alias} and not r.shared`;
  await run(db)`
    update staff set email = id || '@moved.invalid', password_hash = null, role = 'none', alias = null, active = false
    where alias = ${alias}`;
}
