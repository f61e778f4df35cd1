const GAP_PX = 6;
const FROM_EDGE_PX = 8;

/** Below the button if there is room, otherwise above, and always inside the window. Ends where the button ends. */
export function placeMenu(button: DOMRect, menu: HTMLElement, fromStart = false): void {
  const { offsetWidth: width, offsetHeight: height } = menu;
  const under = button.bottom + GAP_PX;
  const fits = under + height <= innerHeight - FROM_EDGE_PX;
  const top = fits ? under : Math.max(FROM_EDGE_PX, button.top - GAP_PX - height);
  const rightmost = innerWidth - width - FROM_EDGE_PX;
  const isAtLeft = (getComputedStyle(menu).direction === 'rtl') !== fromStart;
  const wanted = isAtLeft ? button.left : button.right - width;
  const left = Math.max(FROM_EDGE_PX, Math.min(wanted, rightmost));
  menu.style.top = `${top}px`;
  menu.style.left = `${left}px`;
}
