import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import { useEffect } from 'react';
import { Outlet, useMatch } from 'react-router';
import { useKeyboard } from '../browser/useKeyboard.ts';
import { LineNotice } from '../chat/LineNotice.tsx';
import { useLine } from '../chat/useLine.ts';
import { EndedNotice } from '../staff/EndedNotice.tsx';
import { SkipLink } from '../staff/SkipLink.tsx';
import { FactorBanner } from '../staff/security/FactorBanner.tsx';
import { Toaster } from '../staff/toast/Toaster.tsx';
import { type Toast, useToasts } from '../staff/toast/toasts.ts';
import { SignOut } from './account/SignOut.tsx';
import { QueueAnnouncer } from './alerts/QueueAnnouncer.tsx';
import { useAlerts, useQueueNotices, useUnsentToast } from './alerts/useAlerts.ts';
import { useWorkerMessages } from './alerts/useWorkerMessages.ts';
import { useConsole, useSignedIn } from './context.ts';
import { useCommands } from './keys/commands.ts';
import { queueElement, threadElement } from './keys/focusTargets.ts';
import { Keyboard } from './keys/Keyboard.tsx';
import { keyCaps } from './keys/keyCaps.ts';
import { UNDO_KEY } from './keys/keyRules.ts';
import { QueuePane } from './queue/QueuePane.tsx';
import { SnoozeCommand } from './queue/SnoozeCommand.tsx';
import { Rail } from './Rail.tsx';
import { SavedReplies } from './replies/SavedRepliesDialog.tsx';
import styles from './Shell.module.css';

/** As many panes as fit; on a phone, the one that the address names. */
export function Shell() {
  const { ended } = useConsole();
  const { staff, console: live } = useSignedIn();
  const line = useLine(live.line);
  const open = useMatch('/conversation/:conversationId')?.params.conversationId;
  useAlerts(open);
  useUnsentToast();
  useReopenedChats();
  useQueueNotices();
  useWorkerMessages(open);
  useKeyboard();

  return (
    <div className={styles.shell} data-look="staff" data-open={open !== undefined}>
      <SkipLink to="pane" onSkip={() => (threadElement() ?? queueElement(open))?.focus()}>
        {open === undefined ? consoleTexts.skipToQueue : consoleTexts.skipToChat}
      </SkipLink>
      {open === undefined && <FactorBanner staff={staff} />}
      <Rail />
      <main className={styles.panes}>
        <QueuePane openId={open} />
        <div className={styles.pane} id="pane">
          {ended ? (
            <EndedNotice reason={ended} tooManyTabs={texts.tooManyTabs} />
          ) : (
            <LineNotice line={line} />
          )}
          <Outlet />
        </div>
        {/* After the pane, so that Undo is one Tab away. */}
        <Toaster useUndo={useUndoCommand} undoKey={keyCaps(UNDO_KEY).join(' ')} />
      </main>
      <SavedReplies />
      <SignOut />
      <SnoozeCommand openId={open} />
      <QueueAnnouncer openId={open} />
      <Keyboard openId={open} />
    </div>
  );
}

/** A colleague, or another window, may reopen a chat while its toast offers Undo. */
function useReopenedChats(): void {
  const { queue } = useConsole();
  const toasts = useToasts();
  useEffect(() => {
    toasts.reopened(queue ?? []);
  }, [queue, toasts]);
}

/** The key works while the toast is visible. Afterwards the palette still offers Undo. */
function useUndoCommand(last: Toast | null, isShown: boolean): void {
  const { text = '', undo } = last ?? {};
  const key = isShown ? { key: UNDO_KEY } : {};
  useCommands(undo ? [{ ...key, id: 'undo', name: fillText(consoleTexts.undoOf, { text }), run: undo }] : []);
}
