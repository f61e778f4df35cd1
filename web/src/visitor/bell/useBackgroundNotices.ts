import { useEffect, useEffectEvent, useRef } from 'react';
import type { ConversationState } from '../../chat/model/conversationState.ts';
import { mayNotify, showNotice } from '../../push/notices.ts';

export type Chat = {
  /** The profile's name. */
  name: string;
  state: Pick<ConversationState, 'id' | 'me' | 'loaded' | 'log' | 'gone' | 'looked' | 'view'>;
};

/** Shows a notice for replies that arrive while the tab is in the background. */
export function useBackgroundNotices(chat: Chat | undefined): void {
  useOnReply(chat, ({ name, state }) => {
    if (!mayNotify()) return;
    showNotice(name, { to: 'visitor', conversationId: state.id }).catch((error: unknown) =>
      console.error('notice:', error),
    );
  });
}

/** Calls back for replies that arrive after the conversation was loaded. */
export function useOnReply(chat: Chat | undefined, onReply: (chat: Chat) => void): void {
  const known = useRef<number>(undefined);
  const newest = chat?.state.loaded ? newestReply(chat.state) : undefined;
  const report = useEffectEvent(() => chat && onReply(chat));
  useEffect(() => {
    if (newest === undefined) return;
    if (newest > (known.current ?? newest)) report();
    known.current = newest;
  }, [newest]);
}

function newestReply({ me, log }: Chat['state']): number {
  return log.messages.findLast((message) => message.sender !== me)?.seq ?? 0;
}
