import type { StaffLanguage } from '@settee/protocol/texts/languages';
import type { DbTransaction } from '../platform/db/database.ts';
import { FIRST_DESK_FIRST } from '../platform/db/deskPeople.ts';
import { type Db, first, raw, run } from '../platform/db/query.ts';

export type AccountRow = {
  id: string;
  email: string;
  name: string;
  role: string;
  /** The first desk. */
  alias: string | null;
  /** All desks, `alias` first. */
  desks: string[];
  active: boolean;
  away: boolean;
  /** Wants mails when a visitor waits. */
  waitingMail: boolean;
  /** Null until the person chooses one. */
  passwordHash: string | null;
};

export function readAccountRow(db: Db, staffId: string): Promise<AccountRow | undefined> {
  return findRow(db, staffId, '');
}

/** Blocks changes of password, role and factors until the commit, but not other sign-ins. */
export function lockAccountShared(db: DbTransaction, staffId: string): Promise<AccountRow | undefined> {
  return findRow(db, staffId, 'for share');
}

/** Blocks sign-ins and changes until the commit. */
export function lockAccount(db: DbTransaction, staffId: string): Promise<AccountRow | undefined> {
  return findRow(db, staffId, 'for no key update');
}

type Lock = '' | 'for share' | 'for no key update';

function findRow(db: Db, staffId: string, lock: Lock): Promise<AccountRow | undefined> {
  return first<AccountRow>(db)`
    select id, email, name, role, alias, active, away, waiting_mail as "waitingMail", password_hash as "passwordHash",
      array(select d.alias from desk_staff d where d.staff_id = staff.id order by ${FIRST_DESK_FIRST}) as desks
    from staff where id = ${staffId} ${raw(lock)}`;
}

/** Null: the person chose none. */
export async function readLanguage(db: Db, staffId: string): Promise<StaffLanguage | null> {
  const found = await first<{ language: StaffLanguage | null }>(
    db,
  )`select language from staff where id = ${staffId}`;
  return found?.language ?? null;
}

export function setLanguage(db: Db, staffId: string, language: StaffLanguage): Promise<void> {
  return run(db)`update staff set language = ${language} where id = ${staffId}`;
}

/** Null: no sign-in until the owner chooses a password. */
export function setPassword(db: Db, staffId: string, passwordHash: string | null): Promise<void> {
  return run(db)`update staff set password_hash = ${passwordHash} where id = ${staffId}`;
}
