/** Left and right for left-to-right pages. Mirrored for right-to-left. */
export type TooltipPosition = 'top' | 'bottom' | 'left' | 'right';

const FROM_EDGE = 8;
let watches = false;

/** Handles all tooltips of the page: tap shows, Escape hides, and window edges do not cut them off. */
export function watchTooltips(): void {
  if (watches) return;
  watches = true;
  // Escape may return the focus to a trigger. Do not show its tooltip then.
  let escaping = false;
  const note = (event: Event) => {
    escaping = event instanceof KeyboardEvent && event.type === 'keydown' && event.key === 'Escape';
  };
  for (const type of ['keydown', 'keyup', 'pointermove']) addEventListener(type, note, true);
  on(['pointerover', 'focusin'], (wrap, event) => {
    const from = (event as PointerEvent | FocusEvent).relatedTarget;
    if (!wrap || (from instanceof Node && wrap.contains(from))) return;
    if (escaping) wrap.dataset.off = '';
    else delete wrap.dataset.off;
    keepInView(wrap);
  });
  on(['pointerup'], (wrap, event) => {
    if (!wrap || (event as PointerEvent).pointerType !== 'touch') return;
    wrap.dataset.open = '';
    keepInView(wrap);
  });
  on(['pointerdown', 'focusin'], (wrap) => {
    for (const open of all('[data-open]')) if (open !== wrap) delete open.dataset.open;
  });
  on(['keydown'], (_, event) => {
    if ((event as KeyboardEvent).key !== 'Escape') return;
    for (const open of all(':is(:hover, :has(:focus-visible), [data-open])')) {
      // Until the next hover or focus.
      open.dataset.off = '';
      delete open.dataset.open;
    }
  });
  // Tooltips shown before this script loaded.
  for (const shown of all(':is(:hover, :has(:focus-visible))')) keepInView(shown);
}

function on(types: string[], listener: (wrap: HTMLElement | null, event: Event) => void): void {
  for (const type of types) {
    document.addEventListener(type, (event) => {
      const { target } = event;
      listener(target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null, event);
    });
  }
}

function all(state: string): NodeListOf<HTMLElement> {
  return document.querySelectorAll<HTMLElement>(`[data-tooltip]${state}`);
}

/** Uses the wanted side if it fits, otherwise below or above. Then shifts it into view. */
function keepInView(wrap: HTMLElement): void {
  const tip = wrap.querySelector<HTMLElement>('[role="tooltip"]');
  if (!tip) return;
  const { clientWidth, clientHeight } = document.documentElement;
  tip.style.setProperty('--shift', '0px');
  for (const position of [wrap.dataset.tooltip as TooltipPosition, 'bottom', 'top'] as const) {
    tip.dataset.position = position;
    const { top, right, bottom, left } = tip.getBoundingClientRect();
    const beside = position === 'left' || position === 'right';
    if (top >= 0 && bottom <= clientHeight && (!beside || (left >= 0 && right <= clientWidth))) break;
  }
  const { left, right } = tip.getBoundingClientRect();
  const shift = Math.max(FROM_EDGE - left, Math.min(0, clientWidth - FROM_EDGE - right));
  tip.style.setProperty('--shift', `${shift}px`);
}
