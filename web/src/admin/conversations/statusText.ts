import type { ConversationStatus } from '@settee/protocol/model/conversation';
import { conversationAdminTexts as texts } from '@settee/protocol/texts/conversationAdminTexts';

/** The text states the status; the colour only repeats it. */
export const statusText = {
  open: { text: texts.open, tone: 'good' },
  closed: { text: texts.closed, tone: 'plain' },
  blocked: { text: texts.blocked, tone: 'bad' },
} as const satisfies Record<ConversationStatus, { text: string; tone: 'good' | 'plain' | 'bad' }>;
