import { auditTexts } from '@settee/protocol/auditTexts';
import { Select } from '../parts/Select.tsx';
import { TextField } from '../parts/TextField.tsx';
import { useTypedFilter } from '../parts/useTypedFilter.ts';
import { useManaged } from '../useManaged.ts';
import styles from './AuditFilters.module.css';
import type { FilterKey } from './useAudit.ts';
import { actionWords, actorWords } from './words.ts';

type AuditFiltersProps = {
  filter: Partial<Record<FilterKey, string>>;
  onChange: (change: Partial<Record<FilterKey, string>>) => void;
};

export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const choices = useManaged('audit', 'readAuditChoices', {}).data;
  const [words, setWords] = useTypedFilter(filter.q ?? '', (q) => onChange({ q }));

  return (
    <search className={styles.filters}>
      <Select
        label={auditTexts.actor}
        value={filter.actor ?? ''}
        onChange={(event) => onChange({ actor: event.target.value })}
        options={withNow(
          filter.actor,
          auditTexts.anyone,
          (choices?.actors ?? []).map((actor) => ({ value: actor.id, text: actorWords(actor) })),
        )}
      />
      <Select
        label={auditTexts.action}
        value={filter.action ?? ''}
        onChange={(event) => onChange({ action: event.target.value })}
        options={withNow(
          filter.action,
          auditTexts.anything,
          (choices?.actions ?? []).map((action) => ({ value: action, text: actionWords(action) })),
        )}
      />
      <TextField
        label={auditTexts.search}
        type="search"
        value={words}
        onChange={setWords}
        maxLength={100}
        placeholder={auditTexts.searchHint}
      />
    </search>
  );
}

/** By their words, after the one that chooses nothing. What is chosen stands there before the choices have come. */
function withNow(chosen: string | undefined, none: string, options: { value: string; text: string }[]) {
  const sorted = options.toSorted((one, two) => one.text.localeCompare(two.text, 'en'));
  const missing = chosen !== undefined && !options.some(({ value }) => value === chosen);
  return [{ value: '', text: none }, ...sorted, ...(missing ? [{ value: chosen, text: chosen }] : [])];
}
