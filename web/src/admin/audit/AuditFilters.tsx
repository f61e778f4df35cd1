import { auditTexts } from '@settee/protocol/texts/auditTexts';
import { localeOf } from '@settee/protocol/texts/fillText';
import { SearchField, ToolbarEnd, ToolbarSelect } from '../parts/ListTools.tsx';
import { useTypedFilter } from '../parts/useTypedFilter.ts';
import { useAdminQuery } from '../useAdminQuery.ts';
import { actionText, actorText } from './auditText.ts';
import type { FilterKey } from './useAudit.ts';

type AuditFiltersProps = {
  filter: Partial<Record<FilterKey, string>>;
  onChange: (change: Partial<Record<FilterKey, string>>) => void;
};

export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const choices = useAdminQuery('audit', 'readAuditChoices', {}).data;
  const [search, setSearch] = useTypedFilter(filter.q ?? '', (q) => onChange({ q }));

  return (
    <>
      <SearchField
        label={auditTexts.search}
        placeholder={auditTexts.searchHint}
        maxLength={100}
        value={search}
        onChange={setSearch}
      />
      <ToolbarEnd>
        <ToolbarSelect
          label={auditTexts.action}
          value={filter.action ?? ''}
          onChange={(event) => onChange({ action: event.target.value })}
          options={selectOptions(
            filter.action,
            auditTexts.anything,
            (choices?.actions ?? []).map((action) => ({ value: action, text: actionText(action) })),
          )}
        />
        <ToolbarSelect
          label={auditTexts.actor}
          value={filter.actor ?? ''}
          onChange={(event) => onChange({ actor: event.target.value })}
          options={selectOptions(
            filter.actor,
            auditTexts.anyone,
            (choices?.actors ?? []).map((actor) => ({ value: actor.id, text: actorText(actor) })),
          )}
        />
      </ToolbarEnd>
    </>
  );
}

/** Sorted by text, after the empty option. The selected value is listed even before the choices have loaded. */
function selectOptions(chosen: string | undefined, none: string, options: { value: string; text: string }[]) {
  const sorted = options.toSorted((one, two) => one.text.localeCompare(two.text, localeOf()));
  const missing = chosen !== undefined && !options.some(({ value }) => value === chosen);
  return [{ value: '', text: none }, ...sorted, ...(missing ? [{ value: chosen, text: chosen }] : [])];
}
