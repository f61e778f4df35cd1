/** A viewport that shrinks by more than this lost the rest to an on-screen keyboard, not to a browser's bar. */
const KEYBOARD_FROM_PX = 100;

/** Nothing can be read in less, whatever the browser reports. */
const LEAST_HEIGHT_PX = 200;

export type Keyboard = { open: boolean; height: number };

/** Whether a keyboard covers the page, and the height that is left to draw in. */
export function keyboardIn(full: number, visible: number): Keyboard {
  return { open: full - visible > KEYBOARD_FROM_PX, height: Math.max(Math.round(visible), LEAST_HEIGHT_PX) };
}
