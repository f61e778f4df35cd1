import type { MigrationBuilder } from 'node-pg-migrate';

/** Can be run again. */
export function up(pgm: MigrationBuilder): void {
  pgm.noTransaction();
  pgm.sql("set lock_timeout = '300ms'");
  pgm.sql('alter table handlers validate constraint handlers_profile');
}

export const down = false;
