import type { KeyboardEvent } from 'react';
import type { Entry } from './entries.ts';

/** What a message offers to the keyboard: its Copy, its picture, or another try at that. */
const REACHED = '[data-copy], [data-image], [data-again]';

/** The one message that the Tab key reaches; a film or a link is reached by itself. */
export function focusableEntry(entries: readonly Entry[]): Entry | undefined {
  return entries.findLast(({ media }) => !media || media.mediaType.startsWith('image/'));
}

/** From there the arrows go from message to message. */
export function moveFocusWithArrows(event: KeyboardEvent<HTMLElement>): void {
  const forward = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!forward) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(REACHED)];
  const at = all.indexOf(event.target as HTMLElement);
  if (at < 0) return;
  event.preventDefault();
  all[at + forward]?.focus();
}
