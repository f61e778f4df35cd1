import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { dayLabel, timeOfDay } from '../browser/times.ts';

/** Fri 13 Nov, 09:41. */
export function dayAndTime(at: number, now: number): string {
  return fillText(consoleTexts.dayAndTime, { day: dayLabel(at, now), time: timeOfDay(at) });
}
