/** What is read of a KeyboardEvent. */
export type KeyPress = {
  key: string;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  repeat: boolean;
  isComposing: boolean;
  keyCode: number;
  defaultPrevented: boolean;
};

/** Where it was pressed. */
export type Around = {
  /** Whatever has the focus takes letters for itself. */
  inField: boolean;
  /** It has its own use for Enter: a link, a button. */
  onControl: boolean;
  /** A dialog lies over the console. */
  modal: boolean;
  /** Esc has something to close already, and the browser does that. */
  open: boolean;
  /** The person wants single keys. */
  singleKeys: boolean;
  apple: boolean;
};

export const PALETTE_KEY = 'mod+k';
/** Only walking may be done by holding the key down. */
const MAY_REPEAT = new Set(['j', 'k']);
/** While an input method composes, keys pick words. Safari ends composing before the key: 229 tells. */
const COMPOSING = 229;

/**
 * The key as a command names it, or undefined when it is not for the console. `key` is what the layout makes of it: a
 * German '/' comes with Shift, and AltGr, which sets Ctrl and Alt, types characters.
 */
export function meantKey(press: KeyPress, around: Around): string | undefined {
  if (press.defaultPrevented || press.isComposing || press.keyCode === COMPOSING || press.altKey) {
    return undefined;
  }
  const key = press.key.toLowerCase();
  if (press.ctrlKey || press.metaKey) return isPalette(press, around) ? PALETTE_KEY : undefined;
  if (!around.singleKeys || around.modal) return undefined;
  if (press.repeat && !MAY_REPEAT.has(key)) return undefined;
  if (key === 'escape') return around.open ? undefined : key;
  if (around.inField) return undefined;
  if (key === 'enter') return around.onControl || press.shiftKey ? undefined : key;
  // Shift makes another letter; a sign may need it. Caps Lock changes nothing.
  return press.shiftKey && key !== press.key.toUpperCase() ? undefined : key;
}

/** On a Mac, Ctrl K deletes to the end of the line; elsewhere the Windows key is the system's. */
function isPalette({ key, ctrlKey, metaKey, shiftKey, repeat }: KeyPress, { apple }: Around): boolean {
  const mod = apple ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  return mod && !shiftKey && !repeat && key.toLowerCase() === 'k';
}
