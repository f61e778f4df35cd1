import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { type ComponentType, useEffect, useState } from 'react';
import { reloadPage } from '../../browser/reloadPage.ts';
import { Button } from '../../ui/Button.tsx';
import { useModalDialog } from '../../ui/useModalDialog.ts';
import type { PaletteProps } from './Palette.tsx';
import styles from './PaletteDialog.module.css';
import { PaletteInput } from './PaletteInput.tsx';

type PaletteDialogProps = Pick<PaletteProps, 'openId' | 'onVisit'> & { onClose: () => void };

let loaded: ComponentType<PaletteProps> | undefined;

/** The frame opens at once, so that text typed while the palette loads is not taken for single keys. */
export function PaletteDialog({ onClose, ...rest }: PaletteDialogProps) {
  const dialog = useModalDialog();
  const [Palette, setPalette] = useState(() => loaded);
  const [text, setText] = useState('');
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    if (loaded) return;
    import('./Palette.tsx').then(
      (part) => {
        loaded = part.Palette;
        setPalette(() => part.Palette);
      },
      (error: unknown) => {
        console.error('palette:', error);
        setFailed(true);
      },
    );
  }, []);

  /** The action runs on the page below, so all dialogs are closed first. */
  function done(then: () => void): void {
    for (const open of document.querySelectorAll<HTMLDialogElement>('dialog:modal')) open.close();
    // If nothing had the focus before, the closed dialog's field keeps it for a moment.
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && dialog.current?.contains(activeElement)) activeElement.blur();
    then();
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser handles Escape
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-label={consoleTexts.palette}
      onClose={onClose}
      // A click on the backdrop.
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      {Palette ? (
        <Palette {...rest} text={text} onText={setText} onPick={done} />
      ) : (
        <>
          <PaletteInput value={text} onChange={(event) => setText(event.target.value)} />
          {failed && (
            <p className={styles.failed} role="alert">
              {consoleTexts.paletteFailed}{' '}
              <Button look="bare" onClick={reloadPage}>
                {texts.refreshPage}
              </Button>
            </p>
          )}
        </>
      )}
    </dialog>
  );
}
