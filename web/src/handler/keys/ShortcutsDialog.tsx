import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { useSwitch } from '../../browser/storedSwitch.ts';
import buttons from '../../staff/dialog/DialogButtons.module.css';
import { Dialog } from '../../staff/dialog/FormDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { keysSetting } from '../account/settings.ts';
import { useCommandRegistry } from './commands.ts';
import { Kbd } from './Kbd.tsx';
import { keyGroups } from './keyList.ts';
import styles from './ShortcutsDialog.module.css';

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const on = useSwitch(keysSetting);
  const offered = useCommandRegistry().all();
  const isOffered = (command?: string) => command === undefined || offered.some(({ id }) => id === command);
  return (
    <Dialog title={consoleTexts.shortcutsTitle} onClose={onClose}>
      {(close) => (
        <>
          <label className={styles.switch}>
            <span>
              {consoleTexts.shortcutsOn}
              <small>{consoleTexts.shortcutsOnNote}</small>
            </span>
            <input
              type="checkbox"
              role="switch"
              checked={on}
              aria-checked={on}
              onChange={(event) => keysSetting.set(event.target.checked)}
            />
          </label>
          <table className={styles.table}>
            {keyGroups.map(({ title, lines, single = false }) => (
              <tbody key={title} data-off={single && !on}>
                <tr className={styles.group}>
                  <th scope="rowgroup" colSpan={2}>
                    {title}
                  </th>
                </tr>
                {lines
                  .filter(({ command }) => isOffered(command))
                  .map(({ keys, name }) => (
                    <tr key={name}>
                      <th scope="row">{name}</th>
                      <td>
                        <Kbd keys={keys} />
                      </td>
                    </tr>
                  ))}
              </tbody>
            ))}
          </table>
          <div className={buttons.buttons}>
            <Button look="outline" onClick={close}>
              {consoleTexts.closeDialog}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
