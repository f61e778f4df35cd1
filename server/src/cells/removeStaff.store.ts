import type pg from 'pg';

/** Makes the people of a desk that is elsewhere mere names, which stay for what they wrote at other desks. */
export async function removeStaff(client: pg.Client, alias: string): Promise<void> {
  for (const table of [
    'staff_sessions',
    'staff_totp',
    'staff_passkeys',
    'staff_recovery_codes',
    'password_links',
  ])
    await client.query(`delete from ${table} t using staff s where s.id = t.staff_id and s.alias = $1`, [
      alias,
    ]);
  await client.query(
    'delete from saved_replies r using staff s where s.id = r.staff_id and s.alias = $1 and not r.shared',
    [alias],
  );
  await client.query(
    `update staff set email = id || '@moved.invalid', password_hash = null, role = 'none', alias = null, active = false
     where alias = $1`,
    [alias],
  );
}
