import type { ConversationStatus } from '@settee/protocol/model/conversation';
import { conversationAdminTexts as words } from '@settee/protocol/texts/conversationAdminTexts';

/** A state is a word; its colour only repeats it. */
export const statusWords = {
  open: { text: words.open, tone: 'good' },
  closed: { text: words.closed, tone: 'plain' },
  blocked: { text: words.blocked, tone: 'bad' },
} as const satisfies Record<ConversationStatus, { text: string; tone: 'good' | 'plain' | 'bad' }>;
