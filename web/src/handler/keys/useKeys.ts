import { useLayoutEffect } from 'react';
import { keysSetting } from '../account/settings.ts';
import { useCommandRegistry } from './commands.ts';
import { focusComposer } from './focusTargets.ts';
import { isApple } from './keyCaps.ts';
import { keyContextOf } from './keyContext.ts';
import { commandKey, PALETTE_KEY, typesText } from './keyRules.ts';
import { forgetField, wasFieldRemoved } from './removedField.ts';

/** The console's key listener, on the document so that other handlers come first. */
export function useKeys(): void {
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
