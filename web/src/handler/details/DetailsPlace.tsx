import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { type ReactNode, useEffect } from 'react';
import { Dialog } from '../../staff/dialog/Dialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useMedia } from '../../ui/useMedia.ts';
import { DetailsPane, type Visitor } from './DetailsPane.tsx';
import styles from './DetailsPlace.module.css';

/** As wide as the shell's style sheet has a fourth column from. */
const BESIDE = '(min-width: 1280px)';

type DetailsPlaceProps = {
  visitor: Visitor;
  conversationId: string;
  /** Whether the sheet was asked for; a column is always there. */
  open: boolean;
  onClose: () => void;
  /** What stands under who it is; told how to put a sheet away that lies over the conversation. */
  children: (away?: () => void) => ReactNode;
};

/** The details: a column beside the conversation where there is room, else a sheet over it. */
export function DetailsPlace({ visitor, conversationId, open, onClose, children }: DetailsPlaceProps) {
  const beside = useMedia(BESIDE);
  // A sheet that was asked for does not come back when the window is made narrow again.
  useEffect(() => {
    if (beside && open) onClose();
  }, [beside, open, onClose]);
  if (beside) {
    return (
      <aside className={styles.column} aria-label={consoleTexts.details}>
        <DetailsPane key={conversationId} visitor={visitor}>
          {children()}
        </DetailsPane>
      </aside>
    );
  }
  if (!open) return null;
  return (
    <Dialog title={consoleTexts.details} look="sheet" onClose={onClose}>
      {(close) => (
        <>
          <Button look="round" className={styles.close} aria-label={texts.dismiss} onClick={close}>
            <Icon name="x" />
          </Button>
          <DetailsPane key={conversationId} visitor={visitor}>
            {children(close)}
          </DetailsPane>
        </>
      )}
    </Dialog>
  );
}
