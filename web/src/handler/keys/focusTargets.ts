import { isTouch } from '../../browser/isTouch.ts';

const GIVE_UP_AFTER_MS = 5_000;

/** The message list, where arrows and PageUp scroll. */
export const threadElement = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('main [role="log"]');

/** Receives the focus in an opened chat. On touch screens a focused field would open the keyboard. */
export const chatElement = (): HTMLElement | null =>
  (isTouch() ? null : composerElement()) ?? threadElement();

export const composerElement = (): HTMLTextAreaElement | null =>
  document.querySelector<HTMLTextAreaElement>('main textarea[data-composer]');

/** Puts the caret behind existing text. */
export function focusComposer(): void {
  const field = composerElement();
  field?.focus({ preventScroll: true });
  if (field?.selectionEnd === 0) field.setSelectionRange(field.value.length, field.value.length);
}

/** A row of the queue. Messages may contain the same addresses. */
const rowOf = (address: string): string => `main a[href*="${address}"]:not([role="log"] *)`;

export const queueRow = (element: Element): HTMLElement | null =>
  element.closest<HTMLElement>(rowOf('/conversation/'));

function findRow(address: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(rowOf(address));
}

/** The row of the conversation that was left, otherwise the first row. */
export const queueElement = (leftId: string | undefined): HTMLElement | null =>
  (leftId === undefined ? null : findRow(`/conversation/${leftId}`)) ?? findRow('/conversation/');

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

/** Focuses an element as soon as it exists, unless the user does something else first. */
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
  // A reopened chat gets its composer in a moment.
  if (find === chatElement && place === threadElement() && !isTouch()) return false;
  return document.activeElement === place;
}

/** The next or previous id. The first if none is open, undefined at the end. */
export function neighbourOf(
  order: readonly string[],
  open: string | undefined,
  by: 1 | -1,
): string | undefined {
  const at = open === undefined ? -1 : order.indexOf(open);
  return at === -1 ? order[0] : order[at + by];
}
