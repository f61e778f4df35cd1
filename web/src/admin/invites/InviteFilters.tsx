import { INVITE_LABEL_MAX, type InviteCounts, type ListedState } from '@settee/protocol/model/managedInvite';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { DeskFilter } from '../parts/DeskFilter.tsx';
import { Chips, SearchField, ToolsEnd } from '../parts/ListTools.tsx';
import { useTypedFilter } from '../parts/useTypedFilter.ts';
import { listedStates, stateWord } from './stateWords.ts';
import type { Chosen } from './useInvites.ts';

type InviteFiltersProps = {
  chosen: Chosen;
  counts: InviteCounts | undefined;
  onChoose: (change: Partial<Chosen>) => void;
};

export function InviteFilters({ chosen, counts, onChoose }: InviteFiltersProps) {
  const [typed, setTyped] = useTypedFilter(chosen.search, (search) => onChoose({ search }));
  return (
    <>
      <SearchField label={texts.search} value={typed} maxLength={INVITE_LABEL_MAX} onChange={setTyped} />
      <Chips
        label={texts.stateFilter}
        value={chosen.state ?? ''}
        options={[
          { value: '', text: texts.allStates, count: counts && totalOf(counts, null) },
          ...listedStates.map((state) => ({
            value: state,
            text: stateWord(state),
            count: counts?.[state],
          })),
        ]}
        onChange={(state) => onChoose({ state: state === '' ? null : (state as ListedState) })}
      />
      <ToolsEnd>
        <DeskFilter
          label={texts.handler}
          all={texts.everyHandler}
          alias={chosen.alias}
          onChange={(alias) => onChoose({ alias })}
        />
      </ToolsEnd>
    </>
  );
}

export function totalOf(counts: InviteCounts, state: ListedState | null): number {
  if (state !== null) return counts[state];
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
