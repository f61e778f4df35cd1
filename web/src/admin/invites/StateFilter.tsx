import { inviteAdminTexts as texts } from '@settee/protocol/inviteAdminTexts';
import type { InviteCounts, ListedState } from '@settee/protocol/managedInvite';
import { useId } from 'react';
import { Hidden } from '../../ui/Hidden.tsx';
import styles from './StateFilter.module.css';
import { listedStates, stateWord } from './stateWords.ts';

type StateFilterProps = {
  chosen: ListedState | null;
  counts: InviteCounts | undefined;
  onChoose: (state: ListedState | null) => void;
};

/** Which state is listed, with how many there are of each. */
export function StateFilter({ chosen, counts, onChoose }: StateFilterProps) {
  const name = useId();
  const all = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
  const options = [
    { state: null, word: texts.allStates, count: all },
    ...listedStates.map((state) => ({ state, word: stateWord(state), count: counts?.[state] })),
  ];
  return (
    <fieldset className={styles.states}>
      <legend>
        <Hidden>{texts.stateFilter}</Hidden>
      </legend>
      {options.map(({ state, word, count }) => (
        <label key={word} className={styles.state}>
          <input type="radio" name={name} checked={state === chosen} onChange={() => onChoose(state)} />
          <span>
            {word} <b>{count?.toLocaleString('en') ?? ''}</b>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
