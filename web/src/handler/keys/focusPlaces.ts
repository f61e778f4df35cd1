const GIVE_UP_AFTER_MS = 5_000;

/** The messages: arrows and PageUp scroll from there, and no field swallows the next key. */
export const threadPlace = (): HTMLElement | null => document.querySelector<HTMLElement>('main [role="log"]');

/** A row of the queue. What visitors write may hold such addresses too. */
function findRow(address: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`main a[href*="${address}"]:not([role="log"] *)`);
}

/** Where one lands who leaves a conversation: its row, else the first one. */
export const queuePlace = (leftId: string | undefined): HTMLElement | null =>
  (leftId === undefined ? null : findRow(`/conversation/${leftId}`)) ?? findRow('/conversation/');

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
  place.focus({ preventScroll: true });
  return document.activeElement === place;
}
