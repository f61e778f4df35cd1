import type { StaffSettings } from '@settee/protocol/model/staffSettings';
import { waitingOf } from '../../staff/waiting.ts';

const HOUR_MS = 3_600_000;

type Tone = 'quiet' | 'lamp' | 'danger' | 'alarm';

/** Amber and red follow the settings. Solid red means a wait of over an hour. */
export function toneOf(waitingSince: number, now: number, settings: StaffSettings): Tone {
  const waiting = waitingOf({ waitingSince }, now, settings);
  if (waiting === null) return 'quiet';
  if (!waiting.long) return 'lamp';
  return now - waitingSince > HOUR_MS ? 'alarm' : 'danger';
}
