import { useEffect, useRef } from 'react';
import type { ConversationState } from '../../chat/model/conversationState.ts';
import { mayNotify, showNotice } from '../../push/notices.ts';

export type Chat = {
  /** The profile's name. */
  name: string;
  state: Pick<ConversationState, 'id' | 'me' | 'loaded' | 'log' | 'gone' | 'looked' | 'view'>;
};

/** Shows a notice for messages that arrive while the tab is in the background. */
export function useBackgroundNotices(chat: Chat | undefined): void {
  const known = useRef<number>(undefined);
  const newest = chat?.state.loaded ? newestIncoming(chat.state) : undefined;
  const name = chat?.name ?? '';
  const id = chat?.state.id ?? '';

  useEffect(() => {
    if (newest === undefined) return;
    const isNew = newest > (known.current ?? newest);
    known.current = newest;
    if (isNew && mayNotify()) {
      const about = { to: 'visitor', conversationId: id } as const;
      void showNotice(name, about).catch((error: unknown) => console.error('notice:', error));
    }
  }, [newest, name, id]);
}

export function newestIncoming({ me, log }: Chat['state']): number {
  return log.messages.findLast((message) => message.sender !== me)?.seq ?? 0;
}
