import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { useCopy } from '../../browser/useCopy.ts';
import { Dialog } from '../../staff/dialog/Dialog.tsx';
import buttons from '../../staff/dialog/DialogButtons.module.css';
import { Button } from '../../ui/Button.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import { TextField } from '../parts/TextField.tsx';
import styles from './PersonDialog.module.css';

type LinkDialogProps = { name: string; link: string; onClose: () => void };

/** The one time that a link is shown. */
export function LinkDialog({ name, link, onClose }: LinkDialogProps) {
  const { copied, copy } = useCopy();
  return (
    <Dialog title={fillText(peopleTexts.linkTitle, { name })} held onClose={onClose}>
      {(close) => (
        <>
          <div className={styles.fields}>
            <p className={styles.note}>{fillText(peopleTexts.linkNote, { name })}</p>
            <div className={styles.link}>
              <TextField
                label={peopleTexts.link}
                value={link}
                readOnly
                onChange={() => {}}
                onFocus={(event) => event.target.select()}
              />
              <Button look="outline" onClick={() => void copy(link)}>
                {copied ? adminTexts.copied : adminTexts.copyLink}
              </Button>
              <span role="status">
                <Hidden>{copied && adminTexts.copied}</Hidden>
              </span>
            </div>
          </div>
          <div className={buttons.buttons}>
            <Button className={buttons.main} onClick={close}>
              {peopleTexts.done}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
