import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { type KeyboardEvent, useRef } from 'react';
import { Shape } from '../../ui/Icon.tsx';
import { shapes } from '../shapes.ts';
import styles from './ComposerTabs.module.css';

export type Mode = 'reply' | 'note';

const modes: { mode: Mode; text: string }[] = [
  { mode: 'reply', text: consoleTexts.replyTab },
  { mode: 'note', text: consoleTexts.noteTab },
];

type ComposerTabsProps = {
  mode: Mode;
  panel: string;
  /** Chosen by click, not by arrow keys. */
  onPress: (mode: Mode) => void;
  onMode: (mode: Mode) => void;
};

export function tabId(panel: string, mode: Mode): string {
  return `${panel}-${mode}`;
}

export function ComposerTabs({ mode, panel, onPress, onMode }: ComposerTabsProps) {
  const list = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    const other = mode === 'reply' ? 'note' : 'reply';
    onMode(other);
    list.current?.querySelector<HTMLElement>(`[data-mode=${other}]`)?.focus();
  }

  return (
    <div
      ref={list}
      className={styles.tabs}
      data-mode={mode}
      role="tablist"
      aria-label={consoleTexts.composerTabs}
      onKeyDown={onKeyDown}
    >
      {modes.map((each) => (
        <button
          key={each.mode}
          type="button"
          role="tab"
          id={tabId(panel, each.mode)}
          className={styles.tab}
          data-mode={each.mode}
          aria-selected={each.mode === mode}
          aria-controls={panel}
          tabIndex={each.mode === mode ? 0 : -1}
          // Keeps the focus in the field, and a phone's keyboard open.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPress(each.mode)}
        >
          <span>{each.text}</span>
          {each.mode === 'note' && <Shape paths={shapes.note} />}
        </button>
      ))}
    </div>
  );
}
