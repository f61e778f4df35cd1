/** Left and right as on a page that reads to the right; on one that reads to the left they change places. */
export type TooltipPosition = 'top' | 'bottom' | 'left' | 'right';

const FROM_EDGE = 8;
let watches = false;

/** For all tooltips of the page: a tap shows one, Esc puts it away, and no edge of the window cuts it off. */
export function watchTooltips(): void {
  if (watches) return;
  watches = true;
  // Esc may give the focus back to what has a tooltip: that is no wish to read it. Noted before anything acts on it.
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
      // Until pointer or focus come anew.
      open.dataset.off = '';
      delete open.dataset.open;
    }
  });
  // What was shown before this script came.
  for (const shown of all(':is(:hover, :has(:focus-visible))')) keepInView(shown);
}

function on(types: string[], hear: (wrap: HTMLElement | null, event: Event) => void): void {
  for (const type of types) {
    document.addEventListener(type, (event) => {
      const { target } = event;
      hear(target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null, event);
    });
  }
}

function all(state: string): NodeListOf<HTMLElement> {
  return document.querySelectorAll<HTMLElement>(`[data-tooltip]${state}`);
}

/** Where it was wished if it fits there, else under or over the thing; then along the edge into view. */
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
