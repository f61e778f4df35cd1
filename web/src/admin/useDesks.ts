import type { Desk } from '@settee/protocol/model/staff';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { listText } from '../browser/listText.ts';
import { useAdminQuery } from './useAdminQuery.ts';

/** All desks with staff. */
export function useDesks(): readonly Desk[] {
  return useAdminQuery('staff', 'readDesks', {}).data?.desks ?? [];
}

export function deskOption({ alias, people }: Pick<Desk, 'alias' | 'people'>) {
  return { value: alias, text: fillText(peopleTexts.deskWithPeople, { alias, people: listText(people) }) };
}
