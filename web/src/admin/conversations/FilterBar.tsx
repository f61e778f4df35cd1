import { FIND_MIN } from '@settee/protocol/conversationAdminCalls';
import { conversationAdminTexts as words } from '@settee/protocol/conversationAdminTexts';
import { fillText } from '@settee/protocol/fillText';
import { Select } from '../parts/Select.tsx';
import { TextField } from '../parts/TextField.tsx';
import { useTypedFilter } from '../parts/useTypedFilter.ts';
import { useManaged } from '../useManaged.ts';
import styles from './FilterBar.module.css';
import type { Filters } from './filters.ts';

const shows = [
  { value: '', text: words.all },
  { value: 'open', text: words.open },
  { value: 'waiting', text: words.waiting },
  { value: 'closed', text: words.closed },
  { value: 'blocked', text: words.blocked },
];

type FilterBarProps = { filters: Filters; onChange: (filters: Filters) => void };

export function FilterBar({ filters, onChange }: FilterBarProps) {
  const [typed, setTyped] = useTypedFilter(filters.q, (q) => onChange({ ...filters, q }));
  const desks = useManaged('staff', 'readDesks', {});
  const aliases = desks.data?.desks.map(({ alias }) => alias) ?? [];
  // A desk that nobody works at any more may still have conversations.
  const known = filters.alias === '' || aliases.includes(filters.alias) ? [] : [filters.alias];
  const short = typed.trim().length > 0 && typed.trim().length < FIND_MIN;
  return (
    <search className={styles.bar} aria-label={words.filters}>
      <TextField
        label={words.search}
        type="search"
        autoComplete="off"
        placeholder={words.searchHint}
        value={typed}
        hint={short && fillText(words.searchShort, { min: String(FIND_MIN) })}
        onChange={setTyped}
      />
      <Select
        label={words.show}
        value={filters.show}
        options={shows}
        onChange={(event) => onChange({ ...filters, show: event.target.value })}
      />
      <Select
        label={words.handler}
        value={filters.alias}
        options={[
          { value: '', text: words.anyHandler },
          ...[...known, ...aliases].map((alias) => ({ value: alias, text: alias })),
        ]}
        onChange={(event) => onChange({ ...filters, alias: event.target.value })}
      />
    </search>
  );
}
