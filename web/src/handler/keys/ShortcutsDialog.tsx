import { consoleTexts } from '@settee/protocol/consoleTexts';
import { useEffect, useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Kbd } from './Kbd.tsx';
import { keyList } from './keyList.ts';
import { keysSetting, useKeysSetting } from './keysSetting.ts';
import styles from './ShortcutsDialog.module.css';

/** Every key with what it does, and the switch for those that are letters. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const on = useKeysSetting();
  useEffect(() => dialog.current?.showModal(), []);

  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby="shortcuts-title" onClose={onClose}>
      <header className={styles.header}>
        <h2 id="shortcuts-title">{consoleTexts.shortcutsTitle}</h2>
        <Button look="round" aria-label={consoleTexts.close} onClick={() => dialog.current?.close()}>
          <Icon name="x" />
        </Button>
      </header>
      <label className={styles.switch}>
        {consoleTexts.shortcutsOn}
        <input
          type="checkbox"
          role="switch"
          checked={on}
          aria-checked={on}
          onChange={(event) => keysSetting.set(event.target.checked)}
        />
      </label>
      <table className={styles.table}>
        <tbody>
          {keyList.map(({ keys, name }) => (
            <tr key={name} data-off={!on && !keys.some((key) => key.startsWith('mod+'))}>
              <th scope="row">{name}</th>
              <td>
                <Kbd keys={keys} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </dialog>
  );
}
