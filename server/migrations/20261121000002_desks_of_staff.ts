import type { MigrationBuilder } from 'node-pg-migrate';

/** The desks that people have already. Can be run again. */
export function up(pgm: MigrationBuilder): void {
  pgm.noTransaction();
  // A message looks for notifications of everyone at its desk.
  pgm.sql('drop index concurrently if exists push_subscriptions_staff');
  pgm.sql(
    'create index concurrently push_subscriptions_staff on push_subscriptions (staff_id) where staff_id is not null',
  );
  // The lock waits for who changes a desk meanwhile, and then reads the new one.
  pgm.sql(`
do $$
begin
  insert into desk_staff (alias, staff_id)
  select s.alias, s.id from staff s where s.alias is not null for no key update
  on conflict do nothing;
  commit;
end $$`);
}

export const down = false;
