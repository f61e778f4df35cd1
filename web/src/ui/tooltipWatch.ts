/** Left and right as on a page that reads to the right; on one that reads to the left they change places. */
export type TooltipPosition = 'top' | 'bottom' | 'left' | 'right';

const FROM_EDGE = 8;
let watches = false;

/** For all tooltips of the page: a tap shows one, Esc puts it away, and no edge of the window cuts it off. */
export function watchTooltips(): void {
  if (watches) return;
  watches = true;
  on(['pointerover', 'focusin'], (wrap) => wrap && keepInView(wrap));
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
      open.dataset.off = '';
      delete open.dataset.open;
    }
  });
  // Put away until pointer and focus come anew.
  on(['pointerout', 'focusout'], (wrap, event) => {
    const next = (event as PointerEvent | FocusEvent).relatedTarget;
    if (wrap && !(next instanceof Node && wrap.contains(next))) delete wrap.dataset.off;
  });
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

/** To the other side where its own has no room (from beside the thing, under it), then along the edge into view. */
function keepInView(wrap: HTMLElement): void {
  const tip = wrap.querySelector<HTMLElement>('[role="tooltip"]');
  if (!tip) return;
  const { clientWidth, clientHeight } = document.documentElement;
  const wish = wrap.dataset.tooltip as TooltipPosition;
  const beside = wish === 'left' || wish === 'right';
  tip.dataset.position = wish;
  tip.style.setProperty('--shift', '0px');
  const { top, right, bottom, left } = tip.getBoundingClientRect();
  if (top < 0 || bottom > clientHeight || (beside && (left < 0 || right > clientWidth))) {
    tip.dataset.position = wish === 'bottom' ? 'top' : 'bottom';
  }
  const box = tip.getBoundingClientRect();
  const shift = Math.max(FROM_EDGE - box.left, Math.min(0, clientWidth - FROM_EDGE - box.right));
  tip.style.setProperty('--shift', `${shift}px`);
}
