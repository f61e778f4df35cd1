import { auditTexts } from '@settee/protocol/texts/auditTexts';
import { Pick, SearchField, ToolsEnd } from '../parts/ListTools.tsx';
import { useTypedFilter } from '../parts/useTypedFilter.ts';
import { useManaged } from '../useManaged.ts';
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
    <>
      <SearchField
        label={auditTexts.search}
        placeholder={auditTexts.searchHint}
        maxLength={100}
        value={words}
        onChange={setWords}
      />
      <ToolsEnd>
        <Pick
          label={auditTexts.action}
          value={filter.action ?? ''}
          onChange={(event) => onChange({ action: event.target.value })}
          options={withNow(
            filter.action,
            auditTexts.anything,
            (choices?.actions ?? []).map((action) => ({ value: action, text: actionWords(action) })),
          )}
        />
        <Pick
          label={auditTexts.actor}
          value={filter.actor ?? ''}
          onChange={(event) => onChange({ actor: event.target.value })}
          options={withNow(
            filter.actor,
            auditTexts.anyone,
            (choices?.actors ?? []).map((actor) => ({ value: actor.id, text: actorWords(actor) })),
          )}
        />
      </ToolsEnd>
    </>
  );
}

/** By their words, after the one that chooses nothing. What is chosen stands there before the choices have come. */
function withNow(chosen: string | undefined, none: string, options: { value: string; text: string }[]) {
  const sorted = options.toSorted((one, two) => one.text.localeCompare(two.text, 'en'));
  const missing = chosen !== undefined && !options.some(({ value }) => value === chosen);
  return [{ value: '', text: none }, ...sorted, ...(missing ? [{ value: chosen, text: chosen }] : [])];
}
