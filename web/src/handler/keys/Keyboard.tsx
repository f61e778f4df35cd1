import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { useState } from 'react';
import { Hidden } from '../../ui/Hidden.tsx';
import { useConsole, useShownOrder, useSignedIn } from '../context.ts';
import { PaletteDialog } from '../palette/PaletteDialog.tsx';
import { useCommands } from './commands.ts';
import { composerElement, focusRow, neighbourOf, queueElement, threadElement } from './focusTargets.ts';
import { isField } from './keyContext.ts';
import { PALETTE_KEY } from './keyRules.ts';
import { ShortcutsDialog } from './ShortcutsDialog.tsx';
import { useChatNavigation } from './useChatNavigation.ts';
import { useKeys } from './useKeys.ts';

/** Keyboard navigation, the palette and the list of shortcuts. */
export function Keyboard({ openId }: { openId: string | undefined }) {
  const { session } = useSignedIn();
  const { queue } = useConsole();
  const order = useShownOrder();
  const [shown, setShown] = useState<'palette' | 'shortcuts' | null>(null);
  const [arrivedAt, setArrivedAt] = useState<string | undefined>(undefined);
  const { goTo, goBack, targetId } = useChatNavigation(openId);
  const arrived = queue?.find((row) => row.conversationId === arrivedAt);

  function visit(conversationId: string | undefined, message?: number): void {
    if (conversationId === undefined) return;
    goTo(conversationId, message);
    setArrivedAt(conversationId);
  }

  /** Dialogs and menus close themselves. Then Escape leaves a field with text, then the conversation. */
  function leave(): void {
    const active = document.activeElement;
    const composer = composerElement();
    const isEmpty = active === composer && composer?.value === '';
    if (active instanceof HTMLElement && isField(active) && !isEmpty) {
      active.blur();
      (threadElement() ?? queueElement(openId))?.focus();
    } else if (openId !== undefined) {
      goBack();
    }
  }

  useCommands([
    {
      id: 'next',
      name: consoleTexts.keyNext,
      key: 'alt+arrowdown',
      run: () => visit(neighbourOf(order, targetId(), 1)),
    },
    {
      id: 'previous',
      name: consoleTexts.keyPrevious,
      key: 'alt+arrowup',
      run: () => visit(neighbourOf(order, targetId(), -1)),
    },
    { id: 'nextRow', name: consoleTexts.keyRows, key: 'j', run: () => focusRow(order, 1) },
    { id: 'previousRow', name: consoleTexts.keyRows, key: 'k', run: () => focusRow(order, -1) },
    { id: 'leave', name: consoleTexts.keyBack, key: 'escape', run: leave },
    { id: 'palette', name: consoleTexts.palette, key: PALETTE_KEY, run: () => setShown('palette') },
    { id: 'shortcuts', name: consoleTexts.shortcutsTitle, key: 'mod+/', run: () => setShown('shortcuts') },
    { id: 'shortcutsInQueue', name: consoleTexts.shortcutsTitle, key: '?', run: () => setShown('shortcuts') },
    { id: 'signOut', name: consoleTexts.signOut, run: () => void session.signOut() },
  ]);
  useKeys();

  return (
    <>
      {/* The focus moves to the composer, which does not name the visitor. */}
      <Hidden>
        <span role="status">{arrived && visitorNameOrLabel(arrived)}</span>
      </Hidden>
      {shown === 'shortcuts' && <ShortcutsDialog onClose={() => setShown(null)} />}
      {shown === 'palette' && (
        <PaletteDialog openId={openId} onVisit={visit} onClose={() => setShown(null)} />
      )}
    </>
  );
}
