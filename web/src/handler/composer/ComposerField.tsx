import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import type { KeyboardEvent, RefObject } from 'react';
import type { Writing } from '../../chat/composer/useWriting.ts';
import type { Mode } from './ComposerTabs.tsx';
import { optionId } from './ReplyPickerList.tsx';
import styles from './StaffComposer.module.css';
import type { Caret } from './useComposerField.ts';
import type { ReplyPicker } from './useReplyPicker.ts';

type ComposerFieldProps = {
  field: RefObject<HTMLTextAreaElement | null>;
  mode: Mode;
  writing: Writing;
  caret: Caret;
  picker: ReplyPicker;
  listId: string;
  hintId: string;
  onBlur: () => void;
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
};

/** The text field. While the reply picker is open, the field controls it as a combobox does. */
export function ComposerField(props: ComposerFieldProps) {
  const { field, mode, writing, caret, picker, listId, hintId, onBlur, onKeyDown } = props;
  const label = mode === 'reply' ? consoleTexts.staffPlaceholder : consoleTexts.notePlaceholder;
  return (
    <textarea
      ref={field}
      className={styles.field}
      data-composer
      rows={1}
      dir="auto"
      placeholder={label}
      aria-label={label}
      aria-describedby={hintId}
      aria-autocomplete={mode === 'reply' ? 'list' : undefined}
      aria-controls={picker.open ? listId : undefined}
      aria-activedescendant={picker.open && picker.active ? optionId(listId, picker.active.id) : undefined}
      value={writing.text}
      onChange={(event) => {
        writing.write(event.target.value);
        caret.note();
      }}
      onSelect={caret.note}
      onFocus={caret.note}
      onBlur={() => {
        caret.leave();
        onBlur();
      }}
      onKeyDown={onKeyDown}
      enterKeyHint="send"
    />
  );
}
