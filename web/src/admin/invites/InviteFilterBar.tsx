import {
  INVITE_COUNT_MAX,
  INVITE_LABEL_MAX,
  type InviteCounts,
  ListedState,
} from '@settee/protocol/model/managedInvite';
import { formatNumber } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import * as v from 'valibot';
import { DeskFilter } from '../parts/DeskFilter.tsx';
import { Chips, SearchField, ToolbarEnd } from '../parts/ListTools.tsx';
import { useAddressFilter, useTypedFilter } from '../parts/useTypedFilter.ts';
import { useScope } from '../profiles/useProfiles.ts';
import { useAdminPages } from '../useAdminQuery.ts';
import { listedStates, stateWord } from './inviteText.ts';

type InviteFilterBarProps = {
  filter: InviteFilter;
  counts: InviteCounts | undefined;
  onChange: (change: Partial<InviteFilter>) => void;
};

export function InviteFilterBar({ filter, counts, onChange }: InviteFilterBarProps) {
  const [typed, setTyped] = useTypedFilter(filter.search, (search) => onChange({ search }));
  return (
    <>
      <SearchField label={texts.search} value={typed} maxLength={INVITE_LABEL_MAX} onChange={setTyped} />
      <Chips
        label={texts.stateFilter}
        value={filter.state ?? ''}
        options={[
          {
            value: '',
            text: texts.allStates,
            count: counts && countText(counts, { ...filter, state: null }),
          },
          ...listedStates.map((state) => ({
            value: state,
            text: stateWord(state),
            count: counts && countText(counts, { ...filter, state }),
          })),
        ]}
        onChange={(state) => onChange({ state: state === '' ? null : (state as ListedState) })}
      />
      <ToolbarEnd>
        <DeskFilter
          label={texts.desk}
          all={texts.everyDesk}
          alias={filter.alias}
          onChange={(alias) => onChange({ alias })}
        />
      </ToolbarEnd>
    </>
  );
}

/** A plus means that counting stopped early. */
export function countText(counts: InviteCounts, { state, search }: InviteFilter): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const count = state === null ? total : counts[state];
  return `${formatNumber(count)}${search !== '' && total === INVITE_COUNT_MAX ? '+' : ''}`;
}

type InviteFilter = { state: ListedState | null; alias: string; search: string };

/** The invites that match, newest first. */
export function useInvites({ state, alias, search }: InviteFilter) {
  const query = {
    ...useScope(),
    ...(state !== null && { state }),
    ...(alias !== '' && { alias }),
    ...(search !== '' && { search }),
  };
  return useAdminPages('invites', 'readInvites', query, { cursor: 'before', next: (page) => page.next });
}

/** The list's filter, stored in the address. */
export function useInviteFilter(): [InviteFilter, (change: Partial<InviteFilter>) => void] {
  const [{ state, handler = '', search = '' }, change] = useAddressFilter(['state', 'handler', 'search']);
  const chosen = { state: v.is(ListedState, state) ? state : null, alias: handler, search };

  function choose(next: Partial<InviteFilter>): void {
    const { state: wanted, alias, search: text } = { ...chosen, ...next };
    change({ state: wanted ?? '', handler: alias, search: text });
  }
  return [chosen, choose];
}
