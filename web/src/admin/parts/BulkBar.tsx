import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { Icon } from '../../ui/Icon.tsx';
import styles from './BulkBar.module.css';

type BulkBarProps = {
  count: number;
  onClear: () => void;
  /** Buttons. Destructive ones come last. */
  children: ReactNode;
};

/** Floats over a list while rows are selected. Escape clears the selection. */
export function BulkBar({ count, onClear, children }: BulkBarProps) {
  const clear = useEffectEvent(onClear);
  const any = count > 0;
  useEffect(() => {
    if (!any) return;
    function onKeyDown(event: KeyboardEvent): void {
      // Dialogs and menus handle their own Escape.
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (document.querySelector('dialog[open], [popover]:popover-open')) return;
      clear();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [any]);
  if (!any) return null;
  const label = fillText(adminTexts.selected, { count });
  return (
    <section className={styles.bulk} aria-label={label}>
      <span role="status">{label}</span>
      {children}
      <button
        type="button"
        className={styles.drop}
        aria-label={adminTexts.clearSelection}
        title={adminTexts.clearSelectionKey}
        onClick={onClear}
      >
        <Icon name="x" size={17} />
      </button>
    </section>
  );
}
