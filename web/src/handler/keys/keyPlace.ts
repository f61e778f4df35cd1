import type { Around } from './keyRules.ts';

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
const CONTROLS = 'a, button, input, summary, audio, video, [role="button"], [role="tab"], [role="switch"]';
/** What the browser or the tooltips put away by themselves on Esc. */
const OPEN =
  '[popover]:not([popover="manual"]):popover-open, [data-tooltip]:not([data-off]):is(:has(:focus-visible), [data-open])';

/** The page around a press, as the rules need to know it. */
export function aroundOf(target: EventTarget | null): Omit<Around, 'singleKeys' | 'apple'> {
  const element = target instanceof Element ? target : document.body;
  return {
    inField: isField(element),
    onControl: element.closest(CONTROLS) !== null,
    modal: document.querySelector('dialog:modal') !== null,
    open: document.querySelector(OPEN) !== null,
  };
}

export function isField(element: Element): boolean {
  if (element instanceof HTMLInputElement) return !PRESSED_ONLY.has(element.type);
  return (
    element instanceof HTMLTextAreaElement ||
    (element instanceof HTMLElement && element.isContentEditable) ||
    element.closest(LISTS) !== null ||
    element.matches(FIELD_ROLES)
  );
}
