import type { MigrationBuilder } from 'node-pg-migrate';

/** The old default did not read well after "Chat with". Whoever has chosen a name keeps it. */
export function up(pgm: MigrationBuilder): void {
  pgm.noTransaction();
  pgm.sql(RENAME);
}

export const down = false;

const RENAME = `
do $$
begin
  update brand set display_name = 'Settee' where display_name = 'Chat with us';
  commit;
end $$`;
