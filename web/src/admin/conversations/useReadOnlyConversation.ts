import { useCallback, useEffect, useMemo, useState } from 'react';
import { useImages } from '../../chat/images/useImages.ts';
import type { ConversationState } from '../../chat/model/conversationState.ts';
import { type LiveConversation, startLiveConversation } from '../../chat/model/liveConversation.ts';
import { olderLoader } from '../../chat/model/loadOlder.ts';
import { useLiveConversation } from '../../chat/model/useLiveConversation.ts';
import { memoryOutbox } from '../../chat/outbox/outbox.ts';
import { systemClock } from '../../net/clock.ts';
import type { Live } from '../../net/live.ts';
import { randomId } from '../../net/randomId.ts';
import { useAdmin } from '../context.ts';

/** No uploads are stored under this key. */
const NOBODYS = 'reading';

/** Follows a conversation without side effects: sends nothing, reports nothing and marks nothing as seen. */
export function useReadOnlyConversation(id: string) {
  const { session } = useAdmin();
  const conversation = useConversation(id);
  const state = useLiveConversation(conversation);
  // The reading position is not sent to the server.
  const [looked, setLooked] = useState(0);
  const onLooked = useCallback((seq: number) => setLooked((before) => Math.max(before, seq)), []);
  const loadOlder = useMemo(() => olderLoader(session.api, conversation), [session, conversation]);
  const { images, want: onImages } = useImages(conversation, NOBODYS, session.tokens);

  const shown: ConversationState = useMemo(() => {
    const { view, head } = state;
    // The list opens at its end, not at the desk's first unread message.
    return { ...state, looked, view: view && { ...view, ownerSeen: head } };
  }, [state, looked]);

  return { state: shown, loadOlder, onLooked, images, onImages };
}

function useConversation(id: string): LiveConversation {
  const { live } = useAdmin();
  const [conversation] = useState(() => start(live.line, id));
  useEffect(() => () => conversation.stop(), [conversation]);
  return conversation;
}

function start(live: Live, id: string): LiveConversation {
  return startLiveConversation({
    id,
    me: 'owner',
    live,
    outbox: memoryOutbox(),
    clock: systemClock,
    random: Math.random,
    createId: randomId,
  });
}
