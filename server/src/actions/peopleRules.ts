import { peopleTexts } from '@settee/protocol/peopleTexts';
import type { Kysely } from 'kysely';
import { readDeskLoad } from '../db/deskLoad.ts';
import { findPerson, hasOtherAdmin, hasOthersAt, lockPeople, type PersonRow } from '../db/people.ts';
import type { Tables } from '../db/tables.ts';
import { Refused } from '../refused.ts';

/** What every change of a person has to respect. All of it under one lock, until the commit. */

export function noSuchPerson(): Refused {
  return new Refused('not_found', peopleTexts.noSuchPerson);
}

export async function lockPerson(db: Kysely<Tables>, id: string): Promise<PersonRow> {
  await lockPeople(db);
  const person = await findPerson(db, id);
  if (person === undefined) throw noSuchPerson();
  return person;
}

export async function demandOtherAdmin(db: Kysely<Tables>, person: PersonRow): Promise<void> {
  const counts = person.active && person.role === 'admin';
  if (counts && !(await hasOtherAdmin(db, person.id))) throw new Refused('last_admin');
}

/** Nobody may leave a desk where visitors would then wait for nobody. */
export async function demandDeskGoesOn(db: Kysely<Tables>, person: PersonRow): Promise<void> {
  const { alias, active, id } = person;
  if (!active || alias === null || (await hasOthersAt(db, alias, id))) return;
  const { conversations, invites } = await readDeskLoad(db, alias);
  if (conversations + invites > 0) throw new Refused('desk_in_use');
}

export function demandNotOneself(actor: string, id: string): void {
  if (actor === id) throw new Refused('bad_request', peopleTexts.notYourself);
}
