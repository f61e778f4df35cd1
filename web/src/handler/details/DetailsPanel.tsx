import { initials } from '@settee/protocol/model/initials';
import { visitorLabel, visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { type ReactNode, useEffect } from 'react';
import { Dialog } from '../../staff/dialog/Dialog.tsx';
import { tintOf } from '../../staff/tint.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useMediaQuery } from '../../ui/useMediaQuery.ts';
import styles from './DetailsPanel.module.css';

/** As wide as the shell's style sheet has a fourth column from. */
const BESIDE = '(min-width: 1280px)';

type DetailsPanelProps = {
  visitor: Visitor;
  conversationId: string;
  /** Whether the sheet was asked for; a column is always there. */
  open: boolean;
  onClose: () => void;
  /** What stands under who it is; told how to put a sheet away that lies over the conversation. */
  children: (away?: () => void) => ReactNode;
};

/** The details: a column beside the conversation where there is room, else a sheet over it. */
export function DetailsPanel({ visitor, conversationId, open, onClose, children }: DetailsPanelProps) {
  const beside = useMediaQuery(BESIDE);
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

type Visitor = { visitorId: string; visitorName: string };

type DetailsPaneProps = {
  visitor: Visitor;
  /** What is known of the conversation, under who it is with. */
  children?: ReactNode;
};

function DetailsPane({ visitor, children }: DetailsPaneProps) {
  const name = visitorNameOrLabel(visitor);
  return (
    <div className={styles.pane}>
      <div className={styles.who}>
        <Avatar letters={initials(name)} size={44} tint={tintOf(visitor.visitorId)} />
        <div className={styles.words}>
          <b className={styles.name}>
            <bdi>{name}</bdi>
          </b>
          <code className={styles.label}>{visitorLabel(visitor.visitorId)}</code>
        </div>
      </div>
      {children}
    </div>
  );
}
