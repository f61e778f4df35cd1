import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { Refusal } from '../../auth/refusal.ts';
import type { Staff } from '../../caller.ts';
import { readDeskLoad } from '../../db/dashboard/deskLoad.ts';
import type { DbTransaction } from '../../db/engine/database.ts';
import { type AccountRow, lockAccount } from '../../db/staff/accounts.ts';
import { hasRecentProof } from '../../db/staff/ownSessions.ts';
import {
  findUnstaffedDesks,
  hasOtherAdmin,
  hasOtherStaffAt,
  lockPeople,
  lockPeopleShared,
  roleOfSession,
} from '../../db/staff/people.ts';
import { hasFactor, readFactors } from '../../db/staff/secondFactors.ts';

/** What every change of a person has to respect. All of it under one lock, until the commit. */

export function noSuchPerson(): Refusal {
  return new Refusal('not_found', peopleTexts.noSuchPerson);
}

/** An administrator, or what has no account: the command line, by its name. */
export type Actor = Staff | string;

export function actorId(actor: Actor): string {
  return typeof actor === 'string' ? actor : actor.staffId;
}

/** No sign-in of theirs slips past what is done to them. */
export async function lockPerson(db: DbTransaction, actor: Actor, id: string): Promise<AccountRow> {
  await lockPeopleAsAdmin(db, actor);
  const person = await lockAccount(db, id);
  if (person === undefined) throw noSuchPerson();
  return person;
}

/** Whose turn it is must still be an administrator: they may have waited for somebody who dismissed them. */
export async function lockPeopleAsAdmin(db: DbTransaction, actor: Actor): Promise<void> {
  await lockPeople(db);
  if (typeof actor === 'string') return;
  const role = await roleOfSession(db, actor.sessionId);
  if (role === undefined) throw new Refusal('unauthenticated');
  if (role !== 'admin') throw new Refusal('access_denied');
}

/**
 * Before anything by which somebody becomes an administrator, or gets at an administrator's account: who asks showed
 * lately who they are, as for their own factors. A session that was left open or stolen must not make another one that
 * outlives it.
 */
export async function requireRecentProof(db: DbTransaction, actor: Actor): Promise<void> {
  if (typeof actor === 'string') return;
  const factors = await readFactors(db, actor.staffId);
  if (!(await hasRecentProof(db, actor.sessionId, { hasFactor: hasFactor(factors) })))
    throw new Refusal('password_required');
}

export async function requireOtherAdmin(db: DbTransaction, person: AccountRow): Promise<void> {
  const counts = person.active && person.role === 'admin';
  if (counts && !(await hasOtherAdmin(db, person.id))) throw new Refusal('last_admin');
}

/** Nobody may leave a desk where visitors would then wait for nobody. */
export async function requireDeskCovered(db: DbTransaction, person: AccountRow): Promise<void> {
  const { alias, active, id } = person;
  if (!active || alias === null || (await hasOtherStaffAt(db, alias, id))) return;
  const { conversations, invites } = await readDeskLoad(db, alias);
  if (conversations + invites > 0) throw new Refusal('desk_in_use');
}

/**
 * Before anything is brought to these desks, and in the same transaction: somebody answers there, and does not leave
 * until it has come.
 */
export async function requireStaffedDesks(db: DbTransaction, aliases: readonly string[]): Promise<void> {
  await lockPeopleShared(db);
  const [alias] = await findUnstaffedDesks(db, aliases);
  if (alias !== undefined) throw new Refusal('bad_request', fillText(peopleTexts.nobodyAt, { alias }));
}

export function requireOtherPerson(actor: Actor, id: string): void {
  if (actorId(actor) === id) throw new Refusal('bad_request', peopleTexts.notYourself);
}
