import type { StaffConversation } from '@settee/protocol/model/conversation';
import type { TranscriptFormat } from '@settee/protocol/render/transcript';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { conversationAdminTexts as texts } from '@settee/protocol/texts/conversationAdminTexts';
import { erasureTexts } from '@settee/protocol/texts/erasureTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { type MouseEvent, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import items from '../../staff/menu/items.module.css';
import { MenuButton } from '../../staff/menu/MenuButton.tsx';
import { useToasts } from '../../staff/toast/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { type Task, TaskDialog } from './ConversationDialogs.tsx';
import styles from './ThreadActions.module.css';
import { useDownload } from './useDownload.ts';
import { useToggleStatus } from './useToggleStatus.ts';

const FORMATS: readonly TranscriptFormat[] = ['html', 'csv', 'json'];

type ThreadActionsProps = { conversation: StaffConversation; name: string; head: number };

/** Actions on the whole conversation. The irreversible ones come last in the menu. */
export function ThreadActions({ conversation: { id, status }, name, head }: ThreadActionsProps) {
  const toasts = useToasts();
  const navigate = useNavigate();
  const { search } = useLocation();
  const [asking, setAsking] = useState<Task | null>(null);
  const { error, toggle } = useToggleStatus();
  const { download, done } = useDownload(id);

  /** Ignore the second click of a double click. */
  function onToggle({ detail }: MouseEvent): void {
    if (detail < 2) toggle({ id, name, status });
  }

  function leave(): void {
    toasts.show({ text: erasureTexts.erased });
    void navigate({ pathname: '/conversations', search }, { state: ERASED });
  }

  return (
    <div className={styles.actions}>
      <Button look="outline" onClick={() => setAsking('reassign')}>
        {adminTexts.reassign}
      </Button>
      {/* One button with two labels, so that it keeps the focus. */}
      {status !== 'blocked' && (
        <Button look="outline" onClick={onToggle}>
          {status === 'open' ? texts.close : texts.reopen}
        </Button>
      )}
      {status === 'blocked' && (
        <Button look="outline" onClick={() => setAsking('unblock')}>
          {texts.unblock}
        </Button>
      )}
      <MenuButton
        label={adminTexts.moreActions}
        className={`icon-button ${styles.more}`}
        face={<Icon name="more" />}
      >
        {(choose) => (
          <>
            <span className={items.label} aria-hidden="true">
              {texts.download}
            </span>
            {FORMATS.map((format) => (
              <MenuItem
                key={format}
                disabled={done !== null}
                onClick={() => choose(() => void download(format))}
              >
                {texts.downloadAs[format]}
              </MenuItem>
            ))}
            <div className={items.group}>
              {status !== 'blocked' && (
                <MenuItem className={styles.danger} onClick={() => choose(() => setAsking('block'))}>
                  {texts.block}
                </MenuItem>
              )}
              <MenuItem className={styles.danger} onClick={() => choose(() => setAsking('erase'))}>
                {erasureTexts.erase}
              </MenuItem>
            </div>
          </>
        )}
      </MenuButton>
      <span role="status" className={`muted ${styles.progress}`}>
        {done !== null &&
          fillText(texts.downloading, {
            done,
            total: Math.max(head, done),
          })}
      </span>
      {error && (
        <Notice tone="danger" icon="alert">
          {error}
        </Notice>
      )}
      {asking && (
        <TaskDialog
          task={asking}
          id={id}
          name={name}
          onClose={() => setAsking(null)}
          onDone={() => asking === 'erase' && leave()}
        />
      )}
    </div>
  );
}

/** Location state after erasing: the row is about to disappear, so it gets no focus. */
export const ERASED = 'erased';
