import { blockTexts } from '@settee/protocol/blockTexts';
import { fillText } from '@settee/protocol/fillText';
import { dateAndTime } from '../../browser/dateAndTime.ts';

/** How long a block lasts, in words. */
export function blockedUntil({ until }: { until: number | null }): string {
  if (until === null) return blockTexts.untilUnblocked;
  return fillText(blockTexts.until, { time: dateAndTime(until, Date.now()) });
}
