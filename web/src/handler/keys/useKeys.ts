import { useLayoutEffect } from 'react';
import { keysSetting } from '../account/settings.ts';
import { useCommandRegistry } from './commands.ts';
import { focusComposer } from './focusTargets.ts';
import { isApple } from './keyCaps.ts';
import { keyContextOf } from './keyContext.ts';
import { commandKey, PALETTE_KEY, typesText } from './keyRules.ts';
import { forgetField, wasFieldRemoved } from './removedField.ts';

/** The console's one ear for keys. On the document, so that whatever handles a key before it is left alone. */
export function useKeys(): void {
  const registry = useCommandRegistry();
  // With the screen, not after it: who sees the console may press a key.
  useLayoutEffect(() => {
    function pressed(event: KeyboardEvent): void {
      const around = { ...keyContextOf(event.target), singleKeys: keysSetting.get(), apple: isApple };
      const key = commandKey(event, around);
      if (key && key !== PALETTE_KEY && wasFieldRemoved(event.target)) {
        // Who types on does not press Esc.
        if (key === 'escape') forgetField();
        return;
      }
      const command = key && registry.all().find((offered) => offered.key === key);
      if (!command) {
        // The browser types the character into what has the focus by then.
        if (typesText(event, around)) focusComposer();
        return;
      }
      // The key has done its work: it must not be typed into what now has the focus.
      event.preventDefault();
      command.run();
    }
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [registry]);
}
