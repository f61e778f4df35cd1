import { useEffect } from 'react';
import type { ConversationState } from '../../chat/model/conversationState.ts';
import { forgetChat, rememberChat } from '../../push/chatAddress.ts';

/** Leaves the worker the way to this chat, for as long as this device has its place in it. */
export function useChatAddress(state: Pick<ConversationState, 'id' | 'gone'> | undefined): void {
  const id = state?.id;
  const gone = state?.gone;
  useEffect(() => {
    if (id === undefined) return;
    const noted = gone ? forgetChat(id) : rememberChat(id, location.pathname);
    noted.catch((error: unknown) => console.error('notifications:', error));
  }, [id, gone]);
}
