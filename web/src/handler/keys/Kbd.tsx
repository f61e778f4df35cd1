import styles from './Kbd.module.css';

/** Keys in keyboard notation. */
export function Kbd({ keys }: { keys: readonly string[] }) {
  return (
    <span className={styles.keys}>
      {keys.flatMap(keyCaps).map((cap) => (
        <kbd key={cap}>{cap}</kbd>
      ))}
    </span>
  );
}

/** Apple keyboards use the command key instead of Ctrl. */
export const isApple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

const CAPS: Readonly<Record<string, string>> = {
  mod: isApple ? '⌘' : 'Ctrl',
  alt: isApple ? '⌥' : 'Alt',
  arrowdown: '↓',
  arrowup: '↑',
  escape: 'Esc',
  enter: 'Enter',
};

/** The key labels: 'mod+k' is ⌘ and K. */
export function keyCaps(key: string): string[] {
  return key.split('+').map((part) => CAPS[part] ?? part.toUpperCase());
}
