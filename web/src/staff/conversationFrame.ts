import type { Down } from '@settee/protocol/frames/down';
import type { ConversationEvent } from '../chat/model/conversationState.ts';

/** The frames that each open conversation follows itself. */
export type ConversationFrame = Extract<Down, { type: ConversationEvent['type'] }>;
