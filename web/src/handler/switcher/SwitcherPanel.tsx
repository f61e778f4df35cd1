import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { isTouch } from '../../browser/isTouch.ts';
import { fits } from '../../staff/search/fits.ts';
import { Shape } from '../../ui/Icon.tsx';
import { useModalDialog } from '../../ui/useModalDialog.ts';
import { useConsole, useCounting } from '../context.ts';
import { Kbd } from '../keys/Kbd.tsx';
import { SWITCH_KEY } from '../keys/keyRules.ts';
import { DeskFigures } from '../queue/DeskMenu.tsx';
import { shownQueues } from '../queue/deskQueues.ts';
import { useScope, useShowScope } from '../queue/ownDesks.ts';
import { waitingSummary } from '../queue/queueFilter.ts';
import { shapes } from '../shapes.ts';
import type { Choice } from './choices.ts';
import styles from './SwitcherPanel.module.css';
import { SwitcherPicture } from './SwitcherPicture.tsx';

type Groups = readonly (readonly Choice[])[];

/** All profiles with their desks. The field keeps the focus; arrows move the selection. */
export function SwitcherPanel({ groups, onClose }: { groups: Groups; onClose: () => void }) {
  const dialog = useModalDialog();
  const ids = useId();
  const scope = useScope();
  const show = useShowScope();
  const [text, setText] = useState('');
  const [pointed, setPointed] = useState<string | null>(scope.search);
  const sorted = useLongestWaitFirst(groups);
  const found = text.trim() === '' ? opened(sorted, scope.search) : matching(sorted, text);
  const choices = found.flat();
  const active =
    choices.find(({ search }) => search === pointed) ??
    choices.find(({ fullName }) => fits(fullName, text)) ??
    choices[0];
  const idOf = ({ search }: Choice) => `${ids}${search}`;
  const activeId = active && idOf(active);

  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  function pick({ search }: Choice): void {
    dialog.current?.close();
    if (search !== scope.search) show(search);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isSwitchKey = event.key === 'j' && (event.ctrlKey || event.metaKey);
    if (by !== undefined && active)
      setPointed(choices.at((choices.indexOf(active) + by) % choices.length)?.search ?? null);
    else if (event.key === 'Enter' && active) pick(active);
    else if (isSwitchKey) dialog.current?.close();
    else return;
    event.preventDefault();
  }

  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-label={consoleTexts.switcher}
      onClose={onClose}
      onKeyDown={onKeyDown}
      // A click on the backdrop.
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <div className={styles.field}>
        <Shape paths={shapes.lens} size={18} />
        <input
          type="text"
          role="combobox"
          dir="auto"
          placeholder={consoleTexts.switcherFind}
          aria-label={consoleTexts.switcherFind}
          aria-expanded={choices.length > 0}
          aria-controls={`${ids}list`}
          aria-activedescendant={activeId}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setPointed(null);
          }}
        />
        <Kbd keys={[SWITCH_KEY]} />
      </div>
      <div
        id={`${ids}list`}
        // On a touch screen, the keyboard of a focused field would cover the list.
        ref={(list) => void list?.toggleAttribute('autofocus', isTouch())}
        className={styles.list}
        role="listbox"
        aria-label={consoleTexts.switcher}
        tabIndex={-1}
      >
        {found.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox may hold groups, not fieldsets
          <div key={group[0]?.search} role="group" aria-label={group[0]?.name}>
            {group.map((choice) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
              <div
                key={choice.search}
                id={idOf(choice)}
                className={styles.option}
                role="option"
                aria-selected={choice === active}
                aria-current={choice.search === scope.search}
                data-desk={choice.picture === undefined}
                onPointerMove={choice === active ? undefined : () => setPointed(choice.search)}
                // Keeps the focus in the field.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => pick(choice)}
              >
                {choice.picture && <SwitcherPicture of={choice.picture} size={32} />}
                <span className={styles.words}>
                  <b dir="auto">{choice.name}</b>
                  {choice.note && <small dir="auto">{choice.note}</small>}
                </span>
                <DeskFigures desks={choice.desks} />
              </div>
            ))}
          </div>
        ))}
      </div>
      <p className={styles.status} role="status">
        {choices.length === 0 ? consoleTexts.paletteNothing : consoleTexts.switcherOrder}
      </p>
    </dialog>
  );
}

/** Without words, only the chosen profile shows its desks. */
function opened(groups: Groups, shown: string): Groups {
  return groups.map((group) => (group.some(({ search }) => search === shown) ? group : group.slice(0, 1)));
}

/** Desks that fit, below their profile. */
function matching(groups: Groups, text: string): Groups {
  return groups.flatMap(([first, ...desks]) => {
    if (!first) return [];
    const found = desks.filter(({ fullName }) => fits(fullName, text));
    return found.length > 0 || fits(`${first.name} ${first.note}`, text) ? [[first, ...found]] : [];
  });
}

/** After all desks: the profiles where somebody waits, and the others by name. The order stays while the panel is open. */
function useLongestWaitFirst(groups: Groups): Groups {
  const { queues } = useConsole();
  const count = useCounting();
  const [order] = useState(() => {
    const [, ...profiles] = groups.flatMap(([first]) => first ?? []);
    return profiles
      .map(({ search, name, desks }) => {
        const counts = count(shownQueues(queues, desks));
        const waits = waitingSummary(counts, Date.now());
        const longest = counts.longest.find(({ conversationId }) => conversationId === waits?.id);
        return { search, name, since: longest?.waitingSince ?? Number.POSITIVE_INFINITY };
      })
      .toSorted((a, b) => (a.since === b.since ? a.name.localeCompare(b.name) : a.since - b.since))
      .map(({ search }) => search);
  });
  const placeOf = ([first]: readonly Choice[]) => order.indexOf(first?.search ?? '');
  return groups.toSorted((a, b) => placeOf(a) - placeOf(b));
}
