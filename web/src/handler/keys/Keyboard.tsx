import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { useLayoutEffect, useState } from 'react';
import { Hidden } from '../../ui/Hidden.tsx';
import { keysSetting } from '../account/settings.ts';
import { useConsole, useShownOrder } from '../context.ts';
import { PaletteDialog } from '../palette/PaletteDialog.tsx';
import { useCommandRegistry, useCommands } from './commands.ts';
import {
  composerElement,
  focusComposer,
  focusRow,
  neighbourOf,
  queueElement,
  threadElement,
} from './focusTargets.ts';
import { isApple } from './Kbd.tsx';
import { keyContextOf, usesLetters } from './keyContext.ts';
import { commandKey, PALETTE_KEY, typesText } from './keyRules.ts';
import { forgetField, wasFieldRemoved } from './removedField.ts';
import { ShortcutsDialog } from './ShortcutsDialog.tsx';
import { useChatNavigation } from './useChatNavigation.ts';

/** Keyboard navigation, the palette and the list of shortcuts. */
export function Keyboard({ openId }: { openId: string | undefined }) {
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
    if (active instanceof HTMLElement && usesLetters(active) && !isEmpty) {
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

/** The console's key listener, on the document so that other handlers come first. */
function useKeys(): void {
  const registry = useCommandRegistry();
  // A layout effect: keys may be pressed as soon as the console is visible.
  useLayoutEffect(() => {
    function pressed(event: KeyboardEvent): void {
      const around = { ...keyContextOf(event.target), singleKeys: keysSetting.get(), apple: isApple };
      const key = commandKey(event, around);
      if (key && key !== PALETTE_KEY && wasFieldRemoved(event.target)) {
        // Escape shows that the user noticed.
        if (key === 'escape') forgetField();
        return;
      }
      const command = key && registry.all().find((offered) => offered.key === key);
      if (!command) {
        // The browser types the character into the focused field.
        if (typesText(event, around)) focusComposer();
        return;
      }
      // The key must not be typed into the newly focused field.
      event.preventDefault();
      command.run();
    }
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [registry]);
}
