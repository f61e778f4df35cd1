/** On Apple's machines the command key does what Ctrl does elsewhere. */
export const isApple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

const CAPS: Readonly<Record<string, string>> = {
  mod: isApple ? '⌘' : 'Ctrl',
  alt: isApple ? '⌥' : 'Alt',
  arrowdown: '↓',
  arrowup: '↑',
  escape: 'Esc',
  enter: 'Enter',
};

/** What is printed on the keys of a command's `key`: 'mod+k' is ⌘ and K. */
export function keyCaps(key: string): string[] {
  return key.split('+').map((part) => CAPS[part] ?? part.toUpperCase());
}
