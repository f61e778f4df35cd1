import { Email } from '@settee/protocol/model/person';
import { ALIAS_PATTERN, type Role } from '@settee/protocol/model/staff';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import * as v from 'valibot';
import type { App } from '../../platform/app.ts';
import { Refusal } from '../../platform/auth/refusal.ts';
import { type Audited, audited, type RecordEntry } from '../../platform/db/audited.ts';
import type { DbTransaction } from '../../platform/db/database.ts';
import { requireGoodPassword } from '../commonPasswords.ts';
import { hashPassword } from '../passwords.ts';
import { ensureAlias, insertAccount, writeDesks } from '../staff.store.ts';
import { newPasswordLink, type PasswordLink } from './passwordLinks.ts';

export type NewPerson = { email: string; name: string; password: string };
type NewAccount = Omit<NewPerson, 'password'> & {
  role: Role;
  alias: string | null;
  /** Besides the first one. */
  otherDesks?: readonly string[];
};

export async function createAccount(
  app: Audited,
  { password, ...account }: NewAccount & { password: string },
  actor: string,
  /** Runs first in the transaction; throws to refuse. */
  admit: (db: DbTransaction) => Promise<void> = async () => {},
): Promise<string> {
  requireValid(account);
  requireGoodPassword(password, account);
  const passwordHash = await hashPassword(password);
  return audited(app, actor, async (db, record) => {
    await admit(db);
    return insert(db, record, { ...account, passwordHash });
  });
}

/** The person chooses the password with the link. */
export async function createAccountWithLink(
  app: Audited & Pick<App, 'config' | 'random'>,
  account: NewAccount,
  actor: string,
): Promise<PasswordLink> {
  requireValid(account);
  return audited(app, actor, async (db, record) => {
    const id = await insert(db, record, { ...account, passwordHash: null });
    record('staff.passwordLink', id);
    return newPasswordLink(app, db, { id, email: account.email });
  });
}

function requireValid({ email, alias, otherDesks = [] }: NewAccount): void {
  if (!v.is(Email, email)) throw new Refusal('bad_request', peopleTexts.emailRefused);
  if ([...(alias === null ? [] : [alias]), ...otherDesks].some((each) => !ALIAS_PATTERN.test(each))) {
    throw new Refusal('bad_request', peopleTexts.aliasRefused);
  }
}

async function insert(
  db: DbTransaction,
  record: RecordEntry,
  account: NewAccount & { passwordHash: string | null },
): Promise<string> {
  const { role, alias, otherDesks = [] } = account;
  const desks = alias === null ? [] : [alias, ...otherDesks];
  for (const each of desks) await ensureAlias(db, each);
  const id = await insertAccount(db, account);
  if (id === undefined) throw new Refusal('email_taken');
  await writeDesks(db, id, desks);
  // No e-mail address: the audit log is permanent.
  record(`${role}.create`, id, { alias, ...(desks.length > 1 && { aliases: desks }) });
  return id;
}

/** An administrator works at every desk. */
export async function createAdmin(app: Audited, person: NewPerson, actor: string): Promise<void> {
  await createAccount(app, { ...person, role: 'admin', alias: null }, actor);
}

/** A handler works at one desk or several, which are created if necessary. */
export async function createHandler(
  app: Audited,
  person: NewPerson & { alias: string; otherDesks?: readonly string[] },
  actor: string,
): Promise<void> {
  await createAccount(app, { ...person, role: 'handler' }, actor);
}
