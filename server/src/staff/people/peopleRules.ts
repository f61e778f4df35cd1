import type { LeftDesk } from '@settee/protocol/calls/deskCalls';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { Refusal } from '../../platform/auth/refusal.ts';
import type { Database, DbTransaction } from '../../platform/db/database.ts';
import { actorOf, type Staff } from '../../platform/ports/caller.ts';
import { type AccountRow, lockAccount } from '../accounts.store.ts';
import { readDeskLoad } from '../deskLoad.store.ts';
import { readPlace } from '../desks.store.ts';
import { hasRecentProof } from '../ownSessions.store.ts';
import {
  areOfTwoProfiles,
  findUnstaffedDesks,
  hasOtherAdmin,
  hasOtherStaffAt,
  lockPeople,
  lockPeopleShared,
  roleOfSession,
} from '../people.store.ts';

/** Rules for every change of a person. All of them run under one lock until the commit. */

export function noSuchPerson(): Refusal {
  return new Refusal('not_found', peopleTexts.noSuchPerson);
}

/** An administrator, or the name of something without an account, such as the command line. */
export type Actor = Staff | string;

/** Also blocks sign-ins of this person until the commit. */
export async function requirePerson(db: DbTransaction, actor: Actor, id: string): Promise<AccountRow> {
  await lockPeopleAsAdmin(db, actor);
  const person = await lockAccount(db, id);
  if (person === undefined) throw noSuchPerson();
  return person;
}

/** Checks the role under the lock: the caller may have been demoted while waiting. */
export async function lockPeopleAsAdmin(db: DbTransaction, actor: Actor): Promise<void> {
  await lockPeople(db);
  if (typeof actor === 'string') return;
  const role = await roleOfSession(db, actor.sessionId);
  if (role === undefined) throw new Refusal('unauthenticated');
  if (role !== 'admin') throw new Refusal('access_denied');
}

/**
 * Before anything that opens an account to somebody: requires a recent password or factor, so that a stolen session
 * cannot outlive itself.
 */
export async function requireRecentProof(db: DbTransaction, actor: Actor): Promise<void> {
  if (typeof actor === 'string') return;
  if (!(await hasRecentProof(db, actor.sessionId))) throw new Refusal('password_required');
}

export async function requireOtherAdmin(db: DbTransaction, person: AccountRow): Promise<void> {
  const counts = person.active && person.role === 'admin';
  if (counts && !(await hasOtherAdmin(db, person.id))) throw new Refusal('last_admin');
}

/** Refuses to leave a desk with work unstaffed. */
export async function requireDesksCovered(
  db: DbTransaction,
  person: AccountRow,
  left: readonly string[],
): Promise<void> {
  for (const { conversations, invites } of await readLeaving(db, person, left))
    if (conversations + invites > 0) throw new Refusal('desk_in_use');
}

/** Before their work goes to another desk: that must be of the same profile. */
export async function requireMovable(
  db: DbTransaction,
  person: AccountRow,
  left: readonly string[],
  to: string,
): Promise<void> {
  for (const { alias, conversations, invites } of await readLeaving(db, person, left))
    if (conversations + invites > 0) await requireSameProfile(db, alias, to);
}

/** Before a desk is created for this profile. One that exists has it already, for good. */
export async function requirePlace(db: DbTransaction, alias: string, slug: string): Promise<void> {
  const { current, archived } = await readPlace(db, alias, slug);
  if (current === slug) return;
  if (current !== null) throw new Refusal('bad_request', profileTexts.deskOfAnother, { values: { alias } });
  if (archived === null) throw new Refusal('bad_request', profileTexts.noSuchProfile);
  if (archived) throw new Refusal('bad_request', profileTexts.archived);
}

/** What would remain at those of the desks that have nobody else. */
export async function readLeaving(
  db: Database | DbTransaction,
  { active, id }: Pick<AccountRow, 'active' | 'id'>,
  left: readonly string[],
): Promise<LeftDesk[]> {
  const alone: LeftDesk[] = [];
  for (const alias of active ? left : [])
    if (!(await hasOtherStaffAt(db, alias, id))) alone.push({ alias, ...(await readDeskLoad(db, alias)) });
  return alone;
}

/**
 * Before work moves to these desks, in the same transaction: requires staff there, and keeps them until the commit.
 */
export async function requireStaffedDesks(db: DbTransaction, aliases: readonly string[]): Promise<void> {
  await lockPeopleShared(db);
  const [alias] = await findUnstaffedDesks(db, aliases);
  if (alias !== undefined) throw nobodyAt(alias);
}

/** A desk of another profile is refused like one that does not exist. */
export async function requireSameProfile(db: DbTransaction, from: string, to: string): Promise<void> {
  if (await areOfTwoProfiles(db, from, to)) throw nobodyAt(to);
}

export function nobodyAt(alias: string): Refusal {
  return new Refusal('bad_request', peopleTexts.nobodyAt, { values: { alias } });
}

export function requireOtherPerson(actor: Actor, id: string): void {
  if (actorOf(actor) === id) throw new Refusal('bad_request', peopleTexts.notYourself);
}
