import { initials } from '@settee/protocol/model/initials';
import { visitorLabel, visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { type ReactNode, useEffect } from 'react';
import { Dialog } from '../../staff/dialog/FormDialog.tsx';
import { tintOf } from '../../staff/tint.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useMediaQuery } from '../../ui/useMediaQuery.ts';
import styles from './DetailsPanel.module.css';

/** The width from which the shell has a fourth column. */
const BESIDE = '(min-width: 1280px)';

type DetailsPanelProps = {
  visitor: Visitor;
  conversationId: string;
  /** Whether the sheet is open. A column is always visible. */
  open: boolean;
  onClose: () => void;
  /** The content. It receives a function that closes the sheet. */
  children: (away?: () => void) => ReactNode;
};

/** The details: a column on wide screens, otherwise a sheet. */
export function DetailsPanel({ visitor, conversationId, open, onClose, children }: DetailsPanelProps) {
  const beside = useMediaQuery(BESIDE);
  // A sheet does not reopen when the window becomes narrow again.
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
  children?: ReactNode;
};

function DetailsPane({ visitor, children }: DetailsPaneProps) {
  const name = visitorNameOrLabel(visitor);
  return (
    <div className={styles.pane}>
      <div className={styles.who}>
        <Avatar letters={initials(name)} size={44} tint={tintOf(visitor.visitorId)} />
        <div>
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
