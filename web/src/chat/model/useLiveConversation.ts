import { useSyncExternalStore } from 'react';
import type { ConversationState } from './conversationState.ts';
import type { LiveConversation } from './liveConversation.ts';

export function useLiveConversation(conversation: LiveConversation): ConversationState {
  return useSyncExternalStore(conversation.subscribe, conversation.state);
}
