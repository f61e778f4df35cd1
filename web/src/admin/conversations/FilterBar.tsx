import { type ConversationCounts, FIND_MAX, FIND_MIN } from '@settee/protocol/calls/conversationAdminCalls';
import { conversationAdminTexts as texts } from '@settee/protocol/texts/conversationAdminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { DeskFilter } from '../parts/DeskFilter.tsx';
import { Chips, SearchField, ToolbarEnd } from '../parts/ListTools.tsx';
import { Segments } from '../parts/Segments.tsx';
import { useTypedFilter } from '../parts/useTypedFilter.ts';
import { countText, type Filters } from './filters.ts';

const kinds = [
  { value: '', text: texts.all },
  { value: 'open', text: texts.open },
  { value: 'waiting', text: texts.waiting },
  { value: 'closed', text: texts.closed },
  { value: 'blocked', text: texts.blocked },
] as const;

const places = [
  { value: '', text: texts.inNames },
  { value: 'messages', text: texts.inMessages },
] as const;

type FilterBarProps = {
  filters: Filters;
  counts: ConversationCounts | undefined;
  onChange: (filters: Filters) => void;
};

export function FilterBar({ filters, counts, onChange }: FilterBarProps) {
  const inMessages = filters.in === 'messages';
  const [typed, setTyped] = useTypedFilter(filters.q, (q) => onChange({ ...filters, q }), inMessages);
  const short = typed.trim().length > 0 && typed.trim().length < FIND_MIN;
  const unasked = inMessages && typed.trim() !== filters.q && !short;
  return (
    <>
      <SearchField
        label={inMessages ? texts.searchMessages : texts.search}
        maxLength={FIND_MAX}
        value={typed}
        hint={short ? fillText(texts.searchShort, { min: FIND_MIN }) : unasked ? texts.pressEnter : undefined}
        onChange={setTyped}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && inMessages && !short) onChange({ ...filters, q: typed.trim() });
        }}
      />
      {(filters.q !== '' || inMessages) && (
        <Segments
          label={texts.searchIn}
          value={filters.in}
          options={places}
          onChange={(place) => onChange({ ...filters, in: place })}
        />
      )}
      {!inMessages && (
        <Chips
          label={texts.show}
          value={filters.show}
          options={kinds.map((kind) => ({ ...kind, count: countText(kind.value, counts) }))}
          onChange={(show) => onChange({ ...filters, show })}
        />
      )}
      {!inMessages && (
        <ToolbarEnd>
          <DeskFilter
            label={texts.desk}
            all={texts.anyDesk}
            alias={filters.alias}
            onChange={(alias) => onChange({ ...filters, alias })}
          />
        </ToolbarEnd>
      )}
    </>
  );
}
