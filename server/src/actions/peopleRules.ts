import { fillText } from '@settee/protocol/fillText';
import { peopleTexts } from '@settee/protocol/peopleTexts';
import { type AccountRow, lockAccount } from '../db/accounts.ts';
import type { Inside } from '../db/database.ts';
import { readDeskLoad } from '../db/deskLoad.ts';
import { desksWithNobody, hasOtherAdmin, hasOthersAt, lockPeople, sharePeople } from '../db/people.ts';
import { Refused } from '../refused.ts';

/** What every change of a person has to respect. All of it under one lock, until the commit. */

export function noSuchPerson(): Refused {
  return new Refused('not_found', peopleTexts.noSuchPerson);
}

/** No sign-in of theirs slips past what is done to them. */
export async function lockPerson(db: Inside, id: string): Promise<AccountRow> {
  await lockPeople(db);
  const person = await lockAccount(db, id);
  if (person === undefined) throw noSuchPerson();
  return person;
}

export async function demandOtherAdmin(db: Inside, person: AccountRow): Promise<void> {
  const counts = person.active && person.role === 'admin';
  if (counts && !(await hasOtherAdmin(db, person.id))) throw new Refused('last_admin');
}

/** Nobody may leave a desk where visitors would then wait for nobody. */
export async function demandDeskGoesOn(db: Inside, person: AccountRow): Promise<void> {
  const { alias, active, id } = person;
  if (!active || alias === null || (await hasOthersAt(db, alias, id))) return;
  const { conversations, invites } = await readDeskLoad(db, alias);
  if (conversations + invites > 0) throw new Refused('desk_in_use');
}

/**
 * Before anything is brought to these desks, and in the same transaction: somebody answers there, and does not leave
 * until it has come.
 */
export async function demandSomebodyAt(db: Inside, aliases: readonly string[]): Promise<void> {
  await sharePeople(db);
  const [alias] = await desksWithNobody(db, aliases);
  if (alias !== undefined) throw new Refused('bad_request', fillText(peopleTexts.nobodyAt, { alias }));
}

export function demandNotOneself(actor: string, id: string): void {
  if (actor === id) throw new Refused('bad_request', peopleTexts.notYourself);
}
