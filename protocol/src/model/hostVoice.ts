import { texts } from '../texts/texts.ts';
import type { Brand } from './brand.ts';

/** The bubbles of a greeting: a blank line starts a new one. */
export function greetingBubbles(greeting: string): string[] {
  return greeting.split(/\n\s*\n/).filter(Boolean);
}

const WORDS: Record<number, string> = { 1: 'a minute', 60: 'an hour', 1440: 'a day' };

/** "Usually replies within 10 minutes"; empty if unknown. */
export function usualReplyOf({ usualReplyMinutes: minutes }: Pick<Brand, 'usualReplyMinutes'>): string {
  if (!minutes) return '';
  const time = WORDS[minutes] ?? (minutes < 60 ? `${minutes} minutes` : `${minutes / 60} hours`);
  return texts.usualReply.replace('{time}', time);
}
