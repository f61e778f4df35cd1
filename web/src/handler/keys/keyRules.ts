/** The used properties of a KeyboardEvent. */
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

/** The page's state at the key press. */
export type KeyContext = {
  /** The focused element uses letters itself, such as a text field or a menu. */
  inField: boolean;
  /** The field has no text that the browser could undo. */
  emptyField: boolean;
  /** A queue row has the focus, or nothing has and no chat is open. */
  inQueue: boolean;
  modal: boolean;
  /** Escape closes something without us. */
  escapeCloses: boolean;
  singleKeys: boolean;
  apple: boolean;
};

export const PALETTE_KEY = 'mod+k';
export const SWITCH_KEY = 'mod+j';
export const UNDO_KEY = 'mod+z';
/** With Ctrl or ⌘. These work in fields too. */
const WITH_MOD = new Set([PALETTE_KEY, SWITCH_KEY, UNDO_KEY, 'mod+e', 'mod+i', 'mod+/']);
const WITH_ALT = new Set(['alt+arrowdown', 'alt+arrowup']);
/** Arrow keys in the queue act like letters. */
const IN_QUEUE: Readonly<Record<string, string>> = { j: 'j', k: 'k', arrowdown: 'j', arrowup: 'k', '?': '?' };
/** Keys that may repeat while held down. */
const MAY_REPEAT = new Set(['j', 'k', ...WITH_ALT]);
/** keyCode during composition with an input method. Safari ends the composition before the key event. */
const COMPOSING = 229;

/**
 * The command's key, or undefined if the key is not for the console. Keys without a modifier never change a
 * conversation. `key` depends on the layout: a German '/' comes with Shift, and AltGr types characters.
 */
export function commandKey(press: KeyPress, around: KeyContext): string | undefined {
  if (isTaken(press)) return undefined;
  const key = modifiedKey(press, around.apple) ?? (hasModifier(press) ? undefined : plainKey(press, around));
  if (key === undefined || (press.repeat && !MAY_REPEAT.has(key))) return undefined;
  if (around.modal && key !== PALETTE_KEY) return undefined;
  // In a field with text, the browser undoes typing.
  if (key === UNDO_KEY && around.inField && !around.emptyField) return undefined;
  return key;
}

/** Whether the key types a character that should go to the composer. */
export function typesText(press: KeyPress, around: KeyContext): boolean {
  if (isTaken(press) || around.inField || around.inQueue || around.modal) return false;
  // Space scrolls and presses buttons. Names of other keys have several letters.
  if (press.key === ' ' || Array.from(press.key).length !== 1 || press.metaKey) return false;
  // AltGr is Ctrl+Alt on Windows. The option key types characters on a Mac.
  return press.ctrlKey ? press.altKey : !press.altKey || around.apple;
}

function isTaken({ defaultPrevented, isComposing, keyCode }: KeyPress): boolean {
  return defaultPrevented || isComposing || keyCode === COMPOSING;
}

function hasModifier({ ctrlKey, metaKey, altKey }: KeyPress): boolean {
  return ctrlKey || metaKey || altKey;
}

/** On a Mac, Ctrl+K deletes text. Elsewhere the Windows key belongs to the system. */
function modifiedKey(press: KeyPress, apple: boolean): string | undefined {
  const key = press.key.toLowerCase();
  const mod = apple ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey;
  if (mod && !press.altKey && !isShiftedLetter(press) && WITH_MOD.has(`mod+${key}`)) return `mod+${key}`;
  const alt = press.altKey && !press.ctrlKey && !press.metaKey && !press.shiftKey;
  return alt && WITH_ALT.has(`alt+${key}`) ? `alt+${key}` : undefined;
}

function plainKey(press: KeyPress, around: KeyContext): string | undefined {
  const key = press.key.toLowerCase();
  if (!around.singleKeys) return undefined;
  if (key === 'escape') return around.escapeCloses ? undefined : key;
  return around.inQueue && !around.inField && !isShiftedLetter(press) ? IN_QUEUE[key] : undefined;
}

/** Shift changes letters, but some characters need it. Caps Lock is ignored. */
function isShiftedLetter({ key, shiftKey }: KeyPress): boolean {
  return shiftKey && key.toLowerCase() !== key.toUpperCase();
}
