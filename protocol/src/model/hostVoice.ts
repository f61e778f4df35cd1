import { fillText } from '../texts/fillText.ts';
import { texts } from '../texts/texts.ts';
import type { Brand } from './brand.ts';

const DAY_MINUTES = 1_440;

/** The bubbles of a greeting: a blank line starts a new one. */
export function greetingBubbles(greeting: string): string[] {
  return greeting.split(/\n\s*\n/).filter(Boolean);
}

/** "Usually replies within 10 minutes"; empty if unknown. */
export function usualReplyOf({ usualReplyMinutes: minutes }: Pick<Brand, 'usualReplyMinutes'>): string {
  if (!minutes) return '';
  return fillText(texts.usualReply, { time: spanText(minutes) });
}

/** `minutes` is one of STEPS in server/src/dashboard/usualReply.store.ts, so hours and days are whole numbers. */
function spanText(minutes: number): string {
  if (minutes < 60) return fillText(texts.replyMinutes, { count: minutes });
  if (minutes < DAY_MINUTES) return fillText(texts.replyHours, { count: minutes / 60 });
  return fillText(texts.replyDays, { count: minutes / DAY_MINUTES });
}
