import {
  CONVERSATION_COUNT_MAX,
  type ConversationCounts,
  FIND_MAX,
  FIND_MIN,
} from '@settee/protocol/calls/conversationAdminCalls';
import { conversationAdminTexts as texts } from '@settee/protocol/texts/conversationAdminTexts';
import { fillText, formatNumber } from '@settee/protocol/texts/fillText';
import { DeskFilter } from '../parts/DeskFilter.tsx';
import { Chips, SearchField, ToolbarEnd } from '../parts/ListTools.tsx';
import { Segments } from '../parts/Segments.tsx';
import { useTypedFilter } from '../parts/useTypedFilter.ts';

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
  const text = typed.trim();
  const short = text !== '' && text.length < FIND_MIN;

  function hint(): string | undefined {
    if (short) return fillText(texts.searchShort, { min: FIND_MIN });
    return inMessages && text !== filters.q ? texts.pressEnter : undefined;
  }

  return (
    <>
      <SearchField
        label={inMessages ? texts.searchMessages : texts.search}
        maxLength={FIND_MAX}
        value={typed}
        hint={hint()}
        onChange={setTyped}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && inMessages && !short) onChange({ ...filters, q: text });
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
        <>
          <Chips
            label={texts.show}
            value={filters.show}
            options={kinds.map((kind) => ({ ...kind, count: countText(kind.value, counts) }))}
            onChange={(show) => onChange({ ...filters, show })}
          />
          <ToolbarEnd>
            <DeskFilter
              label={texts.desk}
              all={texts.anyDesk}
              alias={filters.alias}
              onChange={(alias) => onChange({ ...filters, alias })}
            />
          </ToolbarEnd>
        </>
      )}
    </>
  );
}

/** Which conversations are shown. Part of the address. */
export type Filters = {
  show: (typeof kinds)[number]['value'];
  alias: string;
  q: string;
  /** Search in names and labels, or in messages. */
  in: '' | 'messages';
};

export function filtersIn(search: URLSearchParams): Filters {
  return {
    show: kinds.find(({ value }) => value === search.get('show'))?.value ?? '',
    alias: search.get('alias') ?? '',
    q: search.get('q') ?? '',
    in: search.get('in') === 'messages' ? 'messages' : '',
  };
}

/** Query parameters without empty values. */
export function searchOf(filters: Partial<Filters>): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
}

/** Parameters for the list's call. A search text that is too short is left out. */
export function queryOf({ q, show, alias }: Filters): Record<string, string> {
  const text = q.trim();
  return searchOf({ show, alias, q: text.length < FIND_MIN ? '' : text });
}

export function isFiltered(filters: Filters): boolean {
  return Object.keys(queryOf(filters)).length > 0;
}

/** 'All' is open, closed and blocked. */
export function countText(kind: Filters['show'], counts: ConversationCounts | undefined): string | undefined {
  if (!counts) return undefined;
  const { open, closed, blocked } = counts;
  const parts = kind === '' ? [open, closed, blocked] : [counts[kind]];
  const capped = parts.some((count) => count >= CONVERSATION_COUNT_MAX);
  const count = parts.reduce((sum, part) => sum + part, 0);
  return capped ? `${formatNumber(CONVERSATION_COUNT_MAX - 1)}+` : formatNumber(count);
}
