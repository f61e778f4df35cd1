import { consoleTexts } from '@settee/protocol/consoleTexts';
import type { QueueRow } from '@settee/protocol/conversation';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** From when somebody counts as waiting, and from when as waiting too long. */
export const WAITING_FROM_MS = 5 * MINUTE_MS;
export const WAITING_LONG_FROM_MS = 15 * MINUTE_MS;

export type Waiting = { words: string; long: boolean };

/** How long this visitor has been waiting for an answer; null while it is not worth a word. */
export function waitingOf({ waitingSince }: Pick<QueueRow, 'waitingSince'>, now: number): Waiting | null {
  if (waitingSince === null) return null;
  const waited = now - waitingSince;
  if (waited < WAITING_FROM_MS) return null;
  return { words: `${consoleTexts.waiting} ${inOneUnit(waited)}`, long: waited >= WAITING_LONG_FROM_MS };
}

/** 18m, 3h, 2d. */
export function inOneUnit(ms: number): string {
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)}m`;
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)}h`;
  return `${Math.floor(ms / DAY_MS)}d`;
}
