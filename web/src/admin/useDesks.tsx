import type { Desk } from '@settee/protocol/model/staff';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { listText } from '../browser/listText.ts';
import { useAdminQuery } from './useAdminQuery.ts';

/** By alias. A desk without a name is called by its alias. */
export type DeskNames = Readonly<Record<string, string>>;

const none: DeskNames = {};

/** All desks with staff. */
export function useDesks(): readonly Desk[] {
  return useAdminQuery('staff', 'readDesks', {}).data?.desks ?? [];
}

/** The other desks with staff that can take over the work of these: those of their profile. */
export function useDesksBeside(from: readonly string[]): readonly Desk[] {
  const { desks = [], profiles } = useAdminQuery('staff', 'readDesks', {}).data ?? {};
  return desks.filter(
    ({ alias }) => !from.includes(alias) && from.every((desk) => profiles?.[desk] === profiles?.[alias]),
  );
}

export function useDeskNames(): DeskNames {
  return useAdminQuery('staff', 'readDesks', {}).data?.names ?? none;
}

/** The name of a desk, for a place that cannot call a hook. */
export function DeskName({ alias }: { alias: string | null }) {
  const names = useDeskNames();
  return alias === null ? null : <bdi>{names[alias] ?? alias}</bdi>;
}

export function deskOption({ alias, people }: Pick<Desk, 'alias' | 'people'>, names: DeskNames) {
  return {
    value: alias,
    text: fillText(peopleTexts.deskWithPeople, { alias: names[alias] ?? alias, people: listText(people) }),
  };
}
