import { defaultBrand } from '@settee/protocol/model/brand';
import type { Database } from './database.ts';
import { type Db, one, run } from './query.ts';

/** Databases known to be set up. This never changes back. */
const setUp = new WeakSet<Database>();

/** Whether there ever was an administrator. */
export async function isSetUp(db: Database): Promise<boolean> {
  if (setUp.has(db)) return true;
  const { done } = await one<{ done: boolean }>(db)`
    select set_up_at is not null as done from installation`;
  if (done) setUp.add(db);
  return done;
}

export async function readInstallationId(db: Db): Promise<string> {
  return (await one<{ id: string }>(db)`select id from installation`).id;
}

/** Blocks other first administrators until the commit. Returns true if there was none. */
export async function lockSetup(db: Db): Promise<boolean> {
  const { open } = await one<{ open: boolean }>(db)`
    select set_up_at is null as open from installation for update`;
  return open;
}

type StoredSecret = { id: string; mark: Buffer | null; olderKeys: Buffer | null };

/** The stored fingerprint of SECRET, locked until the commit. */
export function lockSecret(db: Db): Promise<StoredSecret> {
  return one<StoredSecret>(db)`
    select id, secret_check as mark, older_keys as "olderKeys" from installation for update`;
}

export function putSecret(
  db: Db,
  { mark, olderKeys }: { mark: Buffer; olderKeys: Buffer | null },
): Promise<void> {
  return run(db)`update installation set secret_check = ${mark}, older_keys = ${olderKeys}`;
}

/** The newest backup that was read back and compared. */
export function noteBackup(db: Db, takenAt: string): Promise<void> {
  return run(db)`
    update installation set backup_at = ${takenAt}
    where backup_at is null or backup_at < ${takenAt}`;
}

type FirstSteps = { profile: boolean; handler: boolean; invite: boolean };

/**
 * What a new installation still needs. A completed step stays completed, even if retention removed the last invite or
 * the profile kept its default name; the audit log proves both.
 */
export function readFirstSteps(db: Db): Promise<FirstSteps> {
  return one<FirstSteps>(db)`
    select
      exists (select from profiles
        where display_name <> ${defaultBrand.displayName} or avatar_url is not null)
        or exists (select from audit where action = 'brand.set') as profile,
      exists (select from staff
        where active and alias is not null and role in ('handler', 'admin')) as handler,
      exists (select from invites) or exists (select from audit where action = 'invite.create') as invite`;
}

type Counts = { open: number; handlers: number; disabledWebhooks: number };

/** Open conversations, staff at desks, and webhooks that were disabled. */
export function readCounts(db: Db): Promise<Counts> {
  return one<Counts>(db)`
    select
      (select count(*)::int from conversations where status = 'open') as open,
      (select count(*)::int from staff
       where active and alias is not null and role in ('handler', 'admin')) as handlers,
      (select count(*)::int from webhook_endpoints where state = 'disabled') as "disabledWebhooks"`;
}
