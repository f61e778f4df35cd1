import { queueRow, threadElement } from './focusTargets.ts';
import type { KeyContext } from './keyRules.ts';

const INPUTS_WITHOUT_TEXT = new Set([
  'button',
  'checkbox',
  'radio',
  'submit',
  'reset',
  'image',
  'file',
  'range',
  'color',
]);
const FIELD_ROLES = '[role="textbox"], [role="searchbox"], [role="combobox"], [role="spinbutton"]';
const SELECT_BY_TYPING = 'select, [role="menu"], [role="listbox"]';
/** The browser closes popovers on Escape, and tooltips close themselves. */
const CLOSED_BY_ESCAPE =
  '[popover]:not([popover="manual"]):popover-open, [data-tooltip]:not([data-off]):is(:has(:focus-visible), [data-open])';
/** A non-modal panel that closes itself on Escape. */
const PANEL = '[role="dialog"]:not(dialog)';

export function keyContextOf(target: EventTarget | null): Omit<KeyContext, 'singleKeys' | 'apple'> {
  const element = target instanceof Element ? target : document.body;
  return {
    inField: usesLetters(element),
    emptyField:
      (element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement) && element.value === '',
    inQueue: queueRow(element) !== null || (element === document.body && threadElement() === null),
    // A panel is modal only for keys pressed inside it.
    modal: document.querySelector('dialog:modal') !== null || element.closest(PANEL) !== null,
    escapeCloses: document.querySelector(`${CLOSED_BY_ESCAPE}, ${PANEL}`) !== null,
  };
}

export function isFieldFocused(): boolean {
  return document.activeElement !== null && usesLetters(document.activeElement);
}

/** For its text, or to select an entry. */
export function usesLetters(element: Element): boolean {
  return takesText(element) || element.closest(SELECT_BY_TYPING) !== null;
}

export function takesText(element: Element): boolean {
  if (element instanceof HTMLInputElement) return !INPUTS_WITHOUT_TEXT.has(element.type);
  return (
    element instanceof HTMLTextAreaElement ||
    (element instanceof HTMLElement && element.isContentEditable) ||
    element.matches(FIELD_ROLES)
  );
}
