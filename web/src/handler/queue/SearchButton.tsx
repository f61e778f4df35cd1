import { consoleTexts } from '@settee/protocol/consoleTexts';
import { Shape } from '../../ui/Icon.tsx';
import styles from './SearchButton.module.css';

const LENS = ['M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 1 0 0-13', 'm20 20-4.2-4.2'];

/** Looks like a field, and opens the one that searches. */
export function SearchButton({ onOpen }: { onOpen: () => void }) {
  return (
    <button type="button" className={styles.search} aria-keyshortcuts="Control+K Meta+K" onClick={onOpen}>
      <Shape paths={LENS} size={18} />
      <span className={styles.words}>{consoleTexts.searchOrJump}</span>
      <span className={styles.keys} aria-hidden="true">
        <kbd>{/mac/i.test(navigator.platform) ? '⌘' : 'Ctrl'}</kbd>
        <kbd>K</kbd>
      </span>
    </button>
  );
}
