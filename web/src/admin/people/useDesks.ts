import { fillText } from '@settee/protocol/fillText';
import { peopleTexts } from '@settee/protocol/peopleTexts';
import type { Desk } from '@settee/protocol/staff';
import { useManaged } from '../useManaged.ts';

/** Every desk where somebody answers. */
export function useDesks(): readonly Desk[] {
  return useManaged('staff', 'readDesks', {}).data?.desks ?? [];
}

export function deskOption({ alias, people }: Pick<Desk, 'alias' | 'people'>): {
  value: string;
  text: string;
} {
  return { value: alias, text: fillText(peopleTexts.deskWithPeople, { alias, people: people.join(', ') }) };
}
