import type { WatchEvent } from '../history.ts';

/** What is wrong, and how much was observed; nothing: no proof. */
export type Checked = { found: string[]; observed: string };

/** When a fault began, and how long it lasted. */
export type FaultTime = { at: number; tookMs: number };

/** The events of one type. */
export function only<T extends WatchEvent['type']>(
  events: readonly WatchEvent[],
  type: T,
): Extract<WatchEvent, { type: T }>[] {
  return events.filter((event): event is Extract<WatchEvent, { type: T }> => event.type === type);
}
