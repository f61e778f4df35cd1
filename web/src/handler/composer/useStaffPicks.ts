import { useEffect, useState } from 'react';
import { type Picks, usePicks } from '../../chat/images/pick/pickStore.ts';
import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import { useSignedIn } from '../context.ts';

/** The latest composer of a conversation. */
const newest = new WeakMap<LiveConversation, object>();

/** Images in this conversation's composer. They are kept while another chat is open. */
export function useStaffPicks(conversation: LiveConversation): Picks {
  const { images } = useSignedIn().console;
  const picks = usePicks(() => images.picks(conversation));
  const [own] = useState(() => ({}));
  useEffect(() => void newest.set(conversation, own), [conversation, own]);
  return {
    ...picks,
    // Only the latest composer sends the text, because it shows the text again.
    whenChecked: () => picks.whenChecked()?.then((good) => good && newest.get(conversation) === own),
  };
}
