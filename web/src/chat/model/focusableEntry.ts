import type { KeyboardEvent } from 'react';
import type { Entry } from './entries.ts';

/** The focusable elements of a message. */
const REACHED = '[data-copy], [data-image], [data-again]';

/** The message that Tab reaches. Videos and links are focusable by themselves. */
export function focusableEntry(entries: readonly Entry[]): Entry | undefined {
  return entries.findLast(({ media }) => !media || media.mediaType.startsWith('image/'));
}

/** Arrow keys move the focus between messages. */
export function moveFocusWithArrows(event: KeyboardEvent<HTMLElement>): void {
  const forward = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!forward) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(REACHED)];
  const at = all.indexOf(event.target as HTMLElement);
  if (at < 0) return;
  event.preventDefault();
  all[at + forward]?.focus();
}
