import { blockTexts } from '@settee/protocol/texts/blockTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { dateAndTime } from '../../browser/dateAndTime.ts';

/** How long a block lasts, in words. */
export function blockedUntil({ until }: { until: number | null }): string {
  if (until === null) return blockTexts.untilUnblocked;
  return fillText(blockTexts.until, { time: dateAndTime(until, Date.now()) });
}
