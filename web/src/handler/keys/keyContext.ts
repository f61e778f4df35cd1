import { queueRow, threadElement } from './focusTargets.ts';
import type { KeyContext } from './keyRules.ts';

/** Inputs that take no letters. */
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
/** In these, a letter looks for an entry. */
const LISTS = 'select, [role="menu"], [role="listbox"]';
/** What the browser or the tooltips put away by themselves on Esc. */
const OPEN =
  '[popover]:not([popover="manual"]):popover-open, [data-tooltip]:not([data-off]):is(:has(:focus-visible), [data-open])';
/** A panel that lies beside the rest of the page and puts itself away on Esc. */
const PANEL = '[role="dialog"]:not(dialog)';

/** The page around a press, as the rules need to know it. */
export function keyContextOf(target: EventTarget | null): Omit<KeyContext, 'singleKeys' | 'apple'> {
  const element = target instanceof Element ? target : document.body;
  return {
    inField: isField(element),
    emptyField:
      (element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement) && element.value === '',
    inQueue: queueRow(element) !== null || (element === document.body && threadElement() === null),
    // A panel is over nothing but what is pressed inside of it.
    modal: document.querySelector('dialog:modal') !== null || element.closest(PANEL) !== null,
    open: document.querySelector(`${OPEN}, ${PANEL}`) !== null,
  };
}

/** Whether somebody is at a field at this moment. */
export function isFieldFocused(): boolean {
  return document.activeElement !== null && isField(document.activeElement);
}

export function isField(element: Element): boolean {
  return takesText(element) || element.closest(LISTS) !== null;
}

/** Where words are typed. */
export function takesText(element: Element): boolean {
  if (element instanceof HTMLInputElement) return !PRESSED_ONLY.has(element.type);
  return (
    element instanceof HTMLTextAreaElement ||
    (element instanceof HTMLElement && element.isContentEditable) ||
    element.matches(FIELD_ROLES)
  );
}
