import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText, formatNumber } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import { useEffect } from 'react';
import { Link, Outlet, useMatch } from 'react-router';
import { useKeyboard } from '../browser/useKeyboard.ts';
import { LineNotice } from '../chat/LineNotice.tsx';
import { useLine } from '../chat/useLine.ts';
import { Bell } from '../push/Bell.tsx';
import { EndedNotice } from '../staff/EndedNotice.tsx';
import { SkipLink } from '../staff/SkipLink.tsx';
import { FactorBanner } from '../staff/security/FactorBanner.tsx';
import { Toaster } from '../staff/toast/Toaster.tsx';
import { type Toast, useToasts } from '../staff/toast/toasts.ts';
import { Shape } from '../ui/Icon.tsx';
import { Logo } from '../ui/Logo.tsx';
import { AccountMenu } from './account/AccountMenu.tsx';
import { SignOut } from './account/SignOut.tsx';
import { staffPanelTexts } from './alerts/staffPush.ts';
import {
  QueueAnnouncer,
  useAlerts,
  useOnDuty,
  useQueueNotices,
  useUnsentToast,
} from './alerts/useAlerts.tsx';
import { useWorkerMessages } from './alerts/useWorkerMessages.ts';
import { useConsole, useQueueCounts, useSignedIn } from './context.ts';
import { useCommandRegistry, useCommands } from './keys/commands.ts';
import { queueElement, threadElement } from './keys/focusTargets.ts';
import { keyCaps } from './keys/Kbd.tsx';
import { Keyboard } from './keys/Keyboard.tsx';
import { UNDO_KEY } from './keys/keyRules.ts';
import { QueuePane } from './queue/QueuePane.tsx';
import { SnoozeCommand } from './queue/SnoozeCommand.tsx';
import rail from './Rail.module.css';
import { SavedReplies } from './replies/SavedRepliesDialog.tsx';
import styles from './Shell.module.css';
import { shapes } from './shapes.ts';
import { RailSwitcher, Switcher } from './switcher/Switcher.tsx';

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
      <Switcher />
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

/** Navigation at the edge of wide windows. */
function Rail() {
  const { push } = useSignedIn();
  const registry = useCommandRegistry();
  const { unread } = useQueueCounts(useOnDuty());
  return (
    <nav className={rail.rail} aria-label={consoleTexts.consoleSuffix}>
      <Logo size={34} />
      <RailSwitcher />
      <Link
        to="/"
        className={rail.here}
        aria-label={
          unread > 0
            ? fillText(consoleTexts.queueUnread, { queue: consoleTexts.queueTitle, count: unread })
            : consoleTexts.queueTitle
        }
      >
        <Shape paths={shapes.inbox} size={22} />
        {unread > 0 && <b>{formatNumber(unread)}</b>}
      </Link>
      <button
        type="button"
        className={rail.tool}
        aria-label={consoleTexts.savedReplies}
        title={consoleTexts.savedReplies}
        onClick={() => registry.run('savedReplies')}
      >
        <Shape paths={shapes.bolt} size={22} />
      </button>
      <Bell push={push} panelTexts={staffPanelTexts} side="right" />
      <AccountMenu className={rail.me} />
    </nav>
  );
}
