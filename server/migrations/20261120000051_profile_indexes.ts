import type { MigrationBuilder } from 'node-pg-migrate';

/** Can be run again. */
export function up(pgm: MigrationBuilder): void {
  pgm.noTransaction();
  pgm.sql("set lock_timeout = '300ms'");
  pgm.sql('alter table handlers validate constraint handlers_profile');
  for (const { kind, name, on } of INDEXES) {
    pgm.sql(`drop index concurrently if exists ${name}`);
    pgm.sql(`create ${kind} concurrently ${name} on ${on}`);
  }
  // A shortcut is free for each profile. Not before the new ones: two people may save the same one now.
  for (const name of ['saved_replies_own', 'saved_replies_shared'])
    pgm.sql(`drop index concurrently if exists ${name}`);
}

export const down = false;

const INDEXES = [
  {
    kind: 'unique index',
    name: 'saved_replies_own_by_profile',
    on: "saved_replies (staff_id, shortcut, (coalesce(profile, ''))) where not shared",
  },
  {
    kind: 'unique index',
    name: 'saved_replies_shared_by_profile',
    on: "saved_replies (shortcut, (coalesce(profile, ''))) where shared",
  },
  {
    // Only entries about another profile than the first one name it.
    kind: 'index',
    name: 'audit_profile',
    on: "audit ((details ->> 'profile'), id) where details ->> 'profile' is not null",
  },
];
