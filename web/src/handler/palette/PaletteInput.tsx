import { SEARCH_QUERY_MAX } from '@settee/protocol/model/search';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { type ComponentProps, useLayoutEffect, useRef } from 'react';
import { Shape } from '../../ui/Icon.tsx';
import { Kbd } from '../keys/Kbd.tsx';
import { shapes } from '../shapes.ts';
import { useOnePage } from '../useOnePage.ts';
import styles from './PaletteDialog.module.css';

export function PaletteInput(props: ComponentProps<'input'>) {
  const input = useRef<HTMLInputElement>(null);
  // A layout effect: otherwise a letter typed now would be lost.
  useLayoutEffect(() => {
    // The previous field may contain text.
    const end = input.current?.value.length ?? 0;
    input.current?.focus();
    input.current?.setSelectionRange(end, end);
  }, []);
  return (
    <div className={styles.search}>
      <Shape paths={shapes.lens} />
      <input
        {...props}
        ref={input}
        type="text"
        dir="auto"
        maxLength={SEARCH_QUERY_MAX}
        placeholder={useOnePage() ? consoleTexts.searchOrJump : consoleTexts.palettePlaceholder}
        aria-label={consoleTexts.palettePlaceholder}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="go"
      />
      <Kbd keys={['escape']} />
    </div>
  );
}
