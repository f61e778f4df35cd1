import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { integrationTexts } from '@settee/protocol/texts/integrationTexts';
import { useCopy } from '../../browser/useCopy.ts';
import buttons from '../../staff/dialog/DialogButtons.module.css';
import { Dialog } from '../../staff/dialog/FormDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import styles from './ShownOnceDialog.module.css';
import { TextField } from './TextField.tsx';

type ShownOnceDialogProps = {
  title: string;
  note: string;
  label: string;
  value: string;
  copyText: string;
  onClose: () => void;
};

/** A link or a secret that cannot be read again. Escape does not close it. */
export function ShownOnceDialog({ title, note, label, value, copyText, onClose }: ShownOnceDialogProps) {
  const { copied, copy } = useCopy();
  return (
    <Dialog title={title} held onClose={onClose}>
      {(close) => (
        <>
          <div className={styles.fields}>
            <p className="ink-2">{note}</p>
            <div className={`${styles.link} medium`}>
              <TextField
                label={label}
                value={value}
                readOnly
                dir="ltr"
                onChange={() => {}}
                onFocus={(event) => event.target.select()}
              />
              <Button onClick={() => void copy(value)}>{copied ? adminTexts.copied : copyText}</Button>
              <span role="status">
                <Hidden>{copied && adminTexts.copied}</Hidden>
              </span>
            </div>
          </div>
          <div className={buttons.buttons}>
            <Button look="outline" onClick={close}>
              {integrationTexts.done}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
