import { isTouch } from '../../browser/isTouch.ts';

const GIVE_UP_AFTER_MS = 5_000;

/** The messages: arrows and PageUp scroll from there. */
export const threadElement = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('main [role="log"]');

/** Where a chat that was just opened takes the focus. On touch devices a focused field would open the keyboard. */
export const chatElement = (): HTMLElement | null =>
  (isTouch() ? null : composerElement()) ?? threadElement();

export const composerElement = (): HTMLTextAreaElement | null =>
  document.querySelector<HTMLTextAreaElement>('main textarea[data-composer]');

/** Behind what is there already. */
export function focusComposer(): void {
  const field = composerElement();
  field?.focus({ preventScroll: true });
  if (field?.selectionEnd === 0) field.setSelectionRange(field.value.length, field.value.length);
}

/** A row of the queue. What visitors write may hold such addresses too. */
const rowOf = (address: string): string => `main a[href*="${address}"]:not([role="log"] *)`;

export const queueRow = (element: Element): HTMLElement | null =>
  element.closest<HTMLElement>(rowOf('/conversation/'));

function findRow(address: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(rowOf(address));
}

/** Where one lands who leaves a conversation: its row, else the first one. */
export const queueElement = (leftId: string | undefined): HTMLElement | null =>
  (leftId === undefined ? null : findRow(`/conversation/${leftId}`)) ?? findRow('/conversation/');

/** Moves the focus to the row before or behind the focused one, in the order of the list. */
export function focusRow(order: readonly string[], by: 1 | -1): void {
  const from = document.activeElement && queueRow(document.activeElement);
  const id = order.find((each) => from?.getAttribute('href')?.includes(`/conversation/${each}`));
  const next = neighbourOf(order, id, by);
  if (next !== undefined) findRow(`/conversation/${next}`)?.focus();
}

export function nothingFocused(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

let forget: () => void = () => {};

/** Focuses a place as soon as it is on the page, unless the person goes elsewhere in the meantime. */
export function focusSoon(find: () => HTMLElement | null): void {
  forget();
  if (tryFocus(find)) return;
  const watch = new MutationObserver(() => {
    if (tryFocus(find)) forget();
  });
  watch.observe(document.body, { childList: true, subtree: true });
  const timer = setTimeout(() => forget(), GIVE_UP_AFTER_MS);
  const leave = () => forget();
  document.addEventListener('focusin', leave);
  document.addEventListener('pointerdown', leave);
  forget = () => {
    watch.disconnect();
    clearTimeout(timer);
    document.removeEventListener('focusin', leave);
    document.removeEventListener('pointerdown', leave);
    forget = () => {};
  };
}

function tryFocus(find: () => HTMLElement | null): boolean {
  const place = find();
  if (!place) return false;
  if (place === composerElement()) focusComposer();
  else place.focus({ preventScroll: true });
  // A chat that was just reopened gets its composer in a moment.
  if (find === chatElement && place === threadElement() && !isTouch()) return false;
  return document.activeElement === place;
}

/** The neighbour in this order; the first when none of it is open, undefined when there is no further one. */
export function neighbourOf(
  order: readonly string[],
  open: string | undefined,
  by: 1 | -1,
): string | undefined {
  const at = open === undefined ? -1 : order.indexOf(open);
  return at === -1 ? order[0] : order[at + by];
}
