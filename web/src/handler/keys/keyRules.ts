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
export type KeyContext = {
  /** The focused element takes letters for itself. */
  inField: boolean;
  /** That field has no text that the browser's own undo could change. */
  emptyField: boolean;
  /** A row of the queue has the focus, or nothing has it and no chat is open. */
  inQueue: boolean;
  /** A dialog lies over the console. */
  modal: boolean;
  /** Esc has something to close already, and the browser does that. */
  open: boolean;
  /** The person wants single keys. */
  singleKeys: boolean;
  apple: boolean;
};

export const PALETTE_KEY = 'mod+k';
export const UNDO_KEY = 'mod+z';
/** With Ctrl, or the command key on a Mac: these work in fields too. */
const WITH_MOD = new Set([PALETTE_KEY, UNDO_KEY, 'mod+e', 'mod+i', 'mod+/']);
const WITH_ALT = new Set(['alt+arrowdown', 'alt+arrowup']);
/** In the queue, arrows move like letters. */
const IN_QUEUE: Readonly<Record<string, string>> = { j: 'j', k: 'k', arrowdown: 'j', arrowup: 'k', '?': '?' };
/** Only moving may be done by holding the key down. */
const MAY_REPEAT = new Set(['j', 'k', ...WITH_ALT]);
/** While an input method composes, keys pick words. Safari ends composing before the key: 229 tells. */
const COMPOSING = 229;

/**
 * The key as a command names it, or undefined when it is not for the console. No key without a modifier changes a
 * conversation. `key` is what the layout makes of it: a German '/' comes with Shift, and AltGr types characters.
 */
export function commandKey(press: KeyPress, around: KeyContext): string | undefined {
  if (isTaken(press)) return undefined;
  const key = modifiedKey(press, around.apple) ?? (hasModifier(press) ? undefined : plainKey(press, around));
  if (key === undefined || (press.repeat && !MAY_REPEAT.has(key))) return undefined;
  if (around.modal && key !== PALETTE_KEY) return undefined;
  // In a field with text, it undoes typing.
  if (key === UNDO_KEY && around.inField && !around.emptyField) return undefined;
  return key;
}

/** Whether the key types a character that belongs into the composer: nothing else has a use for it. */
export function typesText(press: KeyPress, around: KeyContext): boolean {
  if (isTaken(press) || around.inField || around.inQueue || around.modal) return false;
  // Space presses buttons and scrolls. Enter and the like have names of several letters.
  if (press.key === ' ' || Array.from(press.key).length !== 1 || press.metaKey) return false;
  // AltGr is Ctrl and Alt on Windows; the option key types characters on a Mac.
  return press.ctrlKey ? press.altKey : !press.altKey || around.apple;
}

function isTaken({ defaultPrevented, isComposing, keyCode }: KeyPress): boolean {
  return defaultPrevented || isComposing || keyCode === COMPOSING;
}

function hasModifier({ ctrlKey, metaKey, altKey }: KeyPress): boolean {
  return ctrlKey || metaKey || altKey;
}

/** On a Mac, Ctrl K deletes to the end of the line; elsewhere the Windows key is the system's. */
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
  if (key === 'escape') return around.open ? undefined : key;
  return around.inQueue && !around.inField && !isShiftedLetter(press) ? IN_QUEUE[key] : undefined;
}

/** Shift makes another letter; a sign may need it. Caps Lock changes nothing. */
function isShiftedLetter({ key, shiftKey }: KeyPress): boolean {
  return shiftKey && key.toLowerCase() !== key.toUpperCase();
}
