import { type ApiKeyCaller, actorOf, type Caller } from '../ports/caller.ts';
import type { Announce } from '../ports/ports.ts';
import { type AuditAction, type Entry, insertAudit, type KnownDetails } from './audit.ts';
import type { Database, DbTransaction } from './database.ts';

/** Command line and workers have no `announce`. */
export type Audited = {
  db: Database;
  announce?: Pick<Announce, 'accessChanged' | 'brandChanged' | 'managementChanged'>;
};

/** `actor`: only if it is not the actor of the whole work. */
export type RecordEntry = <D extends object>(
  action: AuditAction,
  target: string,
  details?: KnownDetails<D>,
  actor?: string,
) => void;

/** What an action changes besides the audit page. */
const ALSO: Partial<Record<AuditAction, 'accessChanged' | 'brandChanged' | 'invites' | 'staff'>> = {
  'avatar.remove': 'brandChanged',
  'avatar.set': 'brandChanged',
  'brand.set': 'brandChanged',
  'hours.set': 'brandChanged',
  'profile.archive': 'brandChanged',
  'profile.create': 'brandChanged',
  'profile.unarchive': 'brandChanged',
  'availability.away': 'accessChanged',
  'availability.here': 'accessChanged',
  'factor.add': 'accessChanged',
  'factor.remove': 'accessChanged',
  'factor.reset': 'accessChanged',
  'password.change': 'accessChanged',
  'staff.deactivate': 'accessChanged',
  'staff.password': 'accessChanged',
  'staff.passwordLink': 'accessChanged',
  'staff.signOut': 'accessChanged',
  'staff.signOutEverywhere': 'accessChanged',
  'admin.create': 'staff',
  'handler.create': 'staff',
  'staff.activate': 'staff',
  'staff.create': 'staff',
  'staff.update': 'staff',
  'conversation.erase': 'invites',
  'invite.create': 'invites',
  'invite.createMany': 'invites',
  'invite.replaceLink': 'invites',
  'invite.revoke': 'invites',
  'invite.update': 'invites',
  'invites.move': 'invites',
};

/**
 * Commits everything that `work` does and records, or nothing if it throws. Entries are written last, because they lock
 * the chain's head until the commit. Announces after the commit what follows from the entries; the caller announces what
 * depends on its data.
 */
export async function audited<Result>(
  { db, announce }: Audited,
  actor: Caller | ApiKeyCaller | string,
  work: (db: DbTransaction, record: RecordEntry) => Result | Promise<Result>,
): Promise<Result> {
  const { result, entries } = await db.transaction(async (step) => {
    const entries: Entry<object>[] = [];
    const result = await work(step, (action, target, details, by = actorOf(actor)) => {
      entries.push({ actor: by, action, target, details });
    });
    for (const entry of entries) await insertAudit(step, entry);
    return { result, entries };
  });
  if (entries.length > 0) announce?.managementChanged('audit');
  for (const change of new Set(entries.flatMap(({ action }) => ALSO[action] ?? []))) {
    if (change === 'staff' || change === 'invites') announce?.managementChanged(change);
    else announce?.[change]();
  }
  return result;
}
