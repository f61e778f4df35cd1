import {
  CONVERSATION_COUNT_MAX,
  type ConversationCounts,
} from '@settee/protocol/calls/conversationAdminCalls';
import type { Filters } from './filters.ts';

/** "All" is open, closed and blocked together. */
export function countWords(
  kind: Filters['show'],
  counts: ConversationCounts | undefined,
): string | undefined {
  if (!counts) return undefined;
  const { open, closed, blocked } = counts;
  const parts = kind === '' ? [open, closed, blocked] : [counts[kind]];
  const capped = parts.some((count) => count >= CONVERSATION_COUNT_MAX);
  const count = parts.reduce((sum, part) => sum + part, 0);
  return capped ? `${(CONVERSATION_COUNT_MAX - 1).toLocaleString('en')}+` : count.toLocaleString('en');
}
