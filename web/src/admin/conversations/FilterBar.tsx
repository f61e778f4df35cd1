import { type ConversationCounts, FIND_MAX, FIND_MIN } from '@settee/protocol/calls/conversationAdminCalls';
import { conversationAdminTexts as words } from '@settee/protocol/texts/conversationAdminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { DeskFilter } from '../parts/DeskFilter.tsx';
import { Chips, SearchField, ToolsEnd } from '../parts/ListTools.tsx';
import { Segments } from '../parts/Segments.tsx';
import { useTypedFilter } from '../parts/useTypedFilter.ts';
import { countWords, type Filters } from './filters.ts';

const kinds = [
  { value: '', text: words.all },
  { value: 'open', text: words.open },
  { value: 'waiting', text: words.waiting },
  { value: 'closed', text: words.closed },
  { value: 'blocked', text: words.blocked },
] as const;

const places = [
  { value: '', text: words.inNames },
  { value: 'messages', text: words.inMessages },
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
        label={inMessages ? words.searchMessages : words.search}
        maxLength={FIND_MAX}
        value={typed}
        hint={
          short
            ? fillText(words.searchShort, { min: String(FIND_MIN) })
            : unasked
              ? words.pressEnter
              : undefined
        }
        onChange={setTyped}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && inMessages && !short) onChange({ ...filters, q: typed.trim() });
        }}
      />
      {(filters.q !== '' || inMessages) && (
        <Segments
          label={words.searchIn}
          value={filters.in}
          options={places}
          onChange={(place) => onChange({ ...filters, in: place })}
        />
      )}
      {!inMessages && (
        <Chips
          label={words.show}
          value={filters.show}
          options={kinds.map((kind) => ({ ...kind, count: countWords(kind.value, counts) }))}
          onChange={(show) => onChange({ ...filters, show })}
        />
      )}
      {!inMessages && (
        <ToolsEnd>
          <DeskFilter
            label={words.handler}
            all={words.anyHandler}
            alias={filters.alias}
            onChange={(alias) => onChange({ ...filters, alias })}
          />
        </ToolsEnd>
      )}
    </>
  );
}
