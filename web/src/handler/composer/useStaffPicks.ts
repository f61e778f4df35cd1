import { useEffect, useState } from 'react';
import { type Picks, usePicks } from '../../chat/images/pick/usePicks.ts';
import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import { useSignedIn } from '../context.ts';

/** The composer that was last on show for a conversation. */
const newest = new WeakMap<LiveConversation, object>();

/** What waits in this conversation's composer: there again for who looked at another chat meanwhile. */
export function useStaffPicks(conversation: LiveConversation): Picks {
  const { images } = useSignedIn().console;
  const picks = usePicks(() => images.picks(conversation));
  const [own] = useState(() => ({}));
  useEffect(() => void newest.set(conversation, own), [conversation, own]);
  return {
    ...picks,
    // Who left and came back has the words before them again: only the new composer sends them now.
    whenChecked: () => picks.whenChecked()?.then((good) => good && newest.get(conversation) === own),
  };
}
