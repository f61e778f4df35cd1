import { inviteAdminTexts as texts } from '@settee/protocol/inviteAdminTexts';
import { INVITE_LABEL_MAX, type InviteCounts } from '@settee/protocol/managedInvite';
import { Select } from '../parts/Select.tsx';
import { TextField } from '../parts/TextField.tsx';
import { useTypedFilter } from '../parts/useTypedFilter.ts';
import { useManaged } from '../useManaged.ts';
import styles from './InviteFilters.module.css';
import { StateFilter } from './StateFilter.tsx';
import type { Chosen } from './useInvites.ts';

type InviteFiltersProps = {
  chosen: Chosen;
  counts: InviteCounts | undefined;
  onChoose: (change: Partial<Chosen>) => void;
};

export function InviteFilters({ chosen, counts, onChoose }: InviteFiltersProps) {
  const desks = useManaged('staff', 'readDesks', {});
  const aliases = desks.data?.desks.map(({ alias }) => alias) ?? [];
  // One that the address names may have nobody any more, and still have invites.
  const known = chosen.alias === '' || aliases.includes(chosen.alias) ? aliases : [...aliases, chosen.alias];
  return (
    <div className={styles.filters}>
      <StateFilter chosen={chosen.state} counts={counts} onChoose={(state) => onChoose({ state })} />
      <Search search={chosen.search} onSearch={(search) => onChoose({ search })} />
      <div className={styles.handler}>
        <Select
          label={texts.handler}
          value={chosen.alias}
          options={[
            { value: '', text: texts.everyHandler },
            ...known.map((alias) => ({ value: alias, text: alias })),
          ]}
          onChange={(event) => onChoose({ alias: event.target.value })}
        />
      </div>
    </div>
  );
}

function Search({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  const [typed, setTyped] = useTypedFilter(search, onSearch);
  return (
    <div className={styles.search}>
      <TextField
        label={texts.search}
        type="search"
        value={typed}
        maxLength={INVITE_LABEL_MAX}
        onChange={setTyped}
      />
    </div>
  );
}
