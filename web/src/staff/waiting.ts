import type { QueueRow } from '@settee/protocol/model/conversation';
import { defaultSettings, type StaffSettings } from '@settee/protocol/model/staffSettings';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { unitFormat } from './formatDuration.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Waiting = { text: string; long: boolean };

/** How long the visitor has waited. Null below the configured time. */
export function waitingOf(
  { waitingSince }: Pick<QueueRow, 'waitingSince'>,
  now: number,
  { waitingMinutes, waitingLongMinutes }: StaffSettings = defaultSettings,
): Waiting | null {
  if (waitingSince === null) return null;
  const waited = now - waitingSince;
  if (waited < waitingMinutes * MINUTE_MS) return null;
  const long = waited >= waitingLongMinutes * MINUTE_MS;
  return { text: fillText(consoleTexts.waitingFor, { time: formatShortDuration(waited) }), long };
}

/** 18m, 3h, 2d. */
export function formatShortDuration(ms: number): string {
  if (ms < HOUR_MS) return unitFormat('minute').format(Math.floor(ms / MINUTE_MS));
  if (ms < DAY_MS) return unitFormat('hour').format(Math.floor(ms / HOUR_MS));
  return unitFormat('day').format(Math.floor(ms / DAY_MS));
}
