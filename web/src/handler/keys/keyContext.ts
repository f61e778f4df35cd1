import { queueRow, threadElement } from './focusTargets.ts';
import type { KeyContext } from './keyRules.ts';

/** Inputs without text. */
const PRESSED_ONLY = new Set([
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
/** Typing selects an entry in these. */
const LISTS = 'select, [role="menu"], [role="listbox"]';
/** Closed by the browser or by tooltips on Escape. */
const OPEN =
  '[popover]:not([popover="manual"]):popover-open, [data-tooltip]:not([data-off]):is(:has(:focus-visible), [data-open])';
/** A non-modal panel that closes itself on Escape. */
const PANEL = '[role="dialog"]:not(dialog)';

export function keyContextOf(target: EventTarget | null): Omit<KeyContext, 'singleKeys' | 'apple'> {
  const element = target instanceof Element ? target : document.body;
  return {
    inField: isField(element),
    emptyField:
      (element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement) && element.value === '',
    inQueue: queueRow(element) !== null || (element === document.body && threadElement() === null),
    // A panel is modal only for keys pressed inside it.
    modal: document.querySelector('dialog:modal') !== null || element.closest(PANEL) !== null,
    open: document.querySelector(`${OPEN}, ${PANEL}`) !== null,
  };
}

export function isFieldFocused(): boolean {
  return document.activeElement !== null && isField(document.activeElement);
}

export function isField(element: Element): boolean {
  return takesText(element) || element.closest(LISTS) !== null;
}

export function takesText(element: Element): boolean {
  if (element instanceof HTMLInputElement) return !PRESSED_ONLY.has(element.type);
  return (
    element instanceof HTMLTextAreaElement ||
    (element instanceof HTMLElement && element.isContentEditable) ||
    element.matches(FIELD_ROLES)
  );
}
