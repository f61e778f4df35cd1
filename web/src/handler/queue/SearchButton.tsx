import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { Shape } from '../../ui/Icon.tsx';
import { shapes } from '../shapes.ts';
import styles from './SearchButton.module.css';

/** Looks like a field, and opens the one that searches. */
export function SearchButton({ className, onOpen }: { className: string | undefined; onOpen: () => void }) {
  return (
    <button
      type="button"
      className={`${styles.search} ${className}`}
      aria-keyshortcuts="Control+K Meta+K"
      onClick={onOpen}
    >
      <Shape paths={shapes.lens} size={18} />
      <span className={styles.words}>{consoleTexts.searchOrJump}</span>
      <span className={styles.keys} aria-hidden="true">
        <kbd>{/mac/i.test(navigator.platform) ? '⌘' : 'Ctrl'}</kbd>
        <kbd>K</kbd>
      </span>
    </button>
  );
}
